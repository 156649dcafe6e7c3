export interface Place {
  readonly at: number
}
export const here: Place = { at: 1 }

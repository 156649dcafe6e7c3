export interface Images {
  readonly a: string
}

export interface Thing {
  readonly n: number
}

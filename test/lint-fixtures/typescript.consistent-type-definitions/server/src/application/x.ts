export type Order = {
  readonly id: string
}

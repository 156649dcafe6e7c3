export interface Order {
  readonly id: string
}

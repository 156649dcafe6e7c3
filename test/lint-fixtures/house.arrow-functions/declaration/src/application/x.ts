export function twice(number: number): number {
  return 2 * number
}

export const one = (): number => {
  let n = 1
  return n
}

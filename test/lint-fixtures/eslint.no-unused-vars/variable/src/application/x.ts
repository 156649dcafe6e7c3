export const run = (): number => {
  const unused = 1
  return 2
}

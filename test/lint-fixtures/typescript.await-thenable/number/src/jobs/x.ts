export const one = async (of: () => number): Promise<number> => {
  const found = await of()
  return found
}

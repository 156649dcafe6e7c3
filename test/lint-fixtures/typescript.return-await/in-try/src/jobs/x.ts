export const read = async (ask: () => Promise<number>): Promise<number> => {
  try {
    return ask()
  } catch {
    return 0
  }
}

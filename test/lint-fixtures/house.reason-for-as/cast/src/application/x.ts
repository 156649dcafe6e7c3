export const unrelated = 1

export const read = (text: string): { id: string } => {
  const value: unknown = JSON.parse(text)
  return value as { id: string }
}

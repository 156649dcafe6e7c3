const exists = async (): Promise<boolean> => {
  await Promise.resolve()
  return false
}

export const run = (): string => {
  if (exists()) return 'there'
  return 'not there'
}

const save = async (id: string): Promise<void> => {
  await Promise.resolve(id)
}

export const run = (ids: readonly string[]): void => {
  ids.forEach(async (id) => {
    await save(id)
  })
}

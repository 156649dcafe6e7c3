const save = async (): Promise<void> => {
  await Promise.resolve()
}

export const run = (): void => {
  save()
}

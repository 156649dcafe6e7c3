export const run = (): void => {
  console.log('here')
}

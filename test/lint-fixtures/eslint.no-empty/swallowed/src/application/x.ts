export const run = (act: () => void): void => {
  try {
    act()
  } catch {}
}

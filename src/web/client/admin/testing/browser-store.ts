/** Stands for a browser's `localStorage` in tests without one: its keys are what is kept. */
export function browserStore(): Record<string, string> {
  const kept: Record<string, string> = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(kept, { [key]: value }),
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  })
  return kept
}

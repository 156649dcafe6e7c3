export const order = ['title', 'price'] as const

export const read = (text: string): { id: string } => {
  // Written by this very module a moment ago.
  return JSON.parse(text) as { id: string }
}

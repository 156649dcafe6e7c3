export const pick = (): number => Math.random()

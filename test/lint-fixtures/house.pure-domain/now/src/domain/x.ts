export const at = (): number => Date.now()

export const words = (given: readonly string[] | null): string => `${given}`

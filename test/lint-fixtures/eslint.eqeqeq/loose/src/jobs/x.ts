export const same = (a: string | number, b: string | number): boolean => a == b

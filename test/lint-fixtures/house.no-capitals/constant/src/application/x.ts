export const LIMIT = 3

export const dashboard = 1

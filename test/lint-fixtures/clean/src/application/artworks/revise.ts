export const revise = (): string => 'revised'

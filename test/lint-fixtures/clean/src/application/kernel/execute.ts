export const execute = (): string => 'appended'

export const read = (value: any): unknown => value

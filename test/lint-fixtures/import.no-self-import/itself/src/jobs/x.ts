import { one } from './x.ts'

export const one: number = 1
export const two = (): number => one

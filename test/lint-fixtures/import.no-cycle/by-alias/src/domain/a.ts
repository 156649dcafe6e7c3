import { b } from '#domain/b.ts'

export const a = (): number => b()

import { a } from '#domain/a.ts'

export const b = (): number => a()

import { other } from '../../domain/y.ts'

export const used = other

import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
export const database: unknown = load('mongodb')

import { createRequire } from 'node:module'

export const database: unknown = createRequire(import.meta.url)('mongodb')

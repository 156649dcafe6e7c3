import { DatabaseSync } from 'node:sqlite'
import { execute } from '#application/kernel/execute.ts'

export const parts = [DatabaseSync, execute]

import type { DatabaseSync, StatementSync } from 'node:sqlite'

export function openLog(file: string): { database: DatabaseSync; insert: StatementSync }
export function groupCommit(file: string): (body: string, done: () => void) => void

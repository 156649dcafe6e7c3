import type { DatabaseSync } from 'node:sqlite'

export function openLog(file: string): { database: DatabaseSync; insert: (body: string) => void }
export function groupCommit(file: string): (body: string, done: () => void) => void

import { DatabaseSync } from 'node:sqlite'
import { add } from '#application/artworks/add.ts'

export const parts = [DatabaseSync, add]

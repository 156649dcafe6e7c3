import { randomUUID } from 'node:crypto'
import type { Document, Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'

/** Positions as the log of the same set of engines makes them, in growing order. */
export type PositionAt = (n: number) => Position

/** A view nobody used before. */
export const freshView = (indexes: ViewDefinition['indexes'] = []): ViewDefinition => ({
  name: `items-${randomUUID().slice(0, 8)}`,
  version: 1,
  indexes,
})

export interface Item extends Document {
  readonly title: string
  readonly year: number | null
  readonly shown: boolean
}

export const item = (id: string, title: string, year: number | null = null, shown = true): Item => ({
  id,
  title,
  year,
  shown,
})

export const ids = (documents: readonly Document[]): string[] => documents.map((document) => document.id)

/** A prepared view that holds these documents and stands at 1. */
export const filledView = async (
  documents: Documents,
  at: PositionAt,
  put: readonly Document[],
  indexes: ViewDefinition['indexes'],
): Promise<ViewDefinition> => {
  const view = freshView(indexes)
  await documents.prepare([view])
  await documents.write([{ view, put, remove: [], from: null, to: at(1) }])
  return view
}

import {
  UnreadableDocuments,
  type Documents,
  type ViewDefinition,
} from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { ViewDocument, Where } from './projection.ts'

/** A document in memory, or the knowledge that there is none. */
export interface Cell {
  readonly id: string
  doc: ViewDocument | null
  /** not yet gathered to be stored */
  isChanged: boolean
}

/** The documents of one view as far as they are in memory. */
export interface Cells {
  readonly view: ViewDefinition
  readonly documents: Documents
  readonly shared: ReadonlySet<string>
  readonly byId: Map<string, Cell>
  /** ids under which something is stored that cannot be read: what concerns them is parked */
  readonly unreadable: Set<string>
  /** every document of the view is here, so that the engine need not be asked */
  complete: boolean
  /** not yet gathered to be stored */
  changed: Cell[]
  /** of the stored documents that were looked at since changes were gathered: how far the furthest says it is */
  furthest: Position | null
}

export const refuseUnreadable = ({ unreadable, view }: Cells, id: string): void => {
  if (unreadable.size > 0 && unreadable.has(id)) throw new UnreadableDocuments(view.name, [id])
}

/** The document as it is now. @throws when it is not known whether there is one */
export const readCell = (cells: Cells, id: string): ViewDocument | null => {
  refuseUnreadable(cells, id)
  const cell = cells.byId.get(id)
  if (cell === undefined && !cells.complete)
    throw new Error(`${cells.view.name} looks at ${id} without naming it in reads or shared`)
  return cell?.doc ?? null
}

const keepCell = ({ byId }: Cells, id: string, doc: ViewDocument | null): Cell => {
  const cell = { id, doc, isChanged: false }
  byId.set(id, cell)
  return cell
}

export const cellOf = (cells: Cells, id: string): Cell => cells.byId.get(id) ?? keepCell(cells, id, null)

export const changeCell = (cells: Cells, cell: Cell, doc: ViewDocument | null): void => {
  if (doc === cell.doc) return
  cell.doc = doc
  if (cell.isChanged) return
  cell.isChanged = true
  cells.changed.push(cell)
}

const note = (cells: Cells, { position }: ViewDocument): void => {
  // The stamp was a position before it became a field of the document.
  if (cells.furthest === null || position > cells.furthest) cells.furthest = position as Position
}

/** One that cannot be read keeps its own events back, and nobody else's. */
const readStored = async (
  { view, documents, unreadable }: Cells,
  ids: readonly string[],
): Promise<readonly ViewDocument[]> => {
  try {
    return await documents.getMany<ViewDocument>(view, ids)
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocuments)) throw thrown
    const bad = new Set(thrown.ids)
    for (const id of bad) unreadable.add(id)
    const good = ids.filter((id) => !bad.has(id))
    return documents.getMany<ViewDocument>(view, good)
  }
}

/** Brings documents into memory, and the knowledge of those that there are not. */
export const loadCells = async (cells: Cells, ids: ReadonlySet<string>): Promise<void> => {
  const found = await readStored(cells, [...ids])
  for (const id of ids) keepCell(cells, id, null)
  for (const doc of found) {
    note(cells, doc)
    keepCell(cells, doc.id, doc)
  }
}

const matches = (doc: ViewDocument, where: Where): boolean =>
  Object.entries(where).every(([field, value]) => (doc[field] ?? null) === value)

/** All with these values, those of the store too. Answers the error where one of them cannot be read. */
export const matchingCells = async (
  cells: Cells,
  where: Where,
): Promise<readonly Cell[] | UnreadableDocuments> => {
  const { view, documents, unreadable, byId, shared } = cells
  if (!cells.complete) {
    const stored = await documents.findStored<ViewDocument>(view, { where })
    for (const { id, document } of stored) {
      if (document === null) unreadable.add(id)
      else note(cells, document)
      // What is in memory is newer.
      if (!byId.has(id)) keepCell(cells, id, document)
    }
    const bad = stored.flatMap(({ id, document }) => (document === null ? [id] : []))
    if (bad.length > 0) return new UnreadableDocuments(view.name, bad)
  }
  const found: Cell[] = []
  for (const cell of byId.values())
    if (cell.doc !== null && !shared.has(cell.id) && matches(cell.doc, where)) found.push(cell)
  return found
}

/**
 * What was changed is on its way to the store, and stays in memory until the next is: what was on its way before is
 * stored by then. As many stay as are changed at once, for a replay comes back to them; what was longest there is dropped.
 */
export const cellsGathered = (cells: Cells, keep: number): void => {
  keepCells(cells, Math.max(keep, cells.changed.length))
  for (const cell of cells.changed) cell.isChanged = false
  cells.changed = []
  cells.furthest = null
}

/** Drops what was longest in memory and is stored. */
export const keepCells = (cells: Cells, keep: number): void => {
  const { byId, shared } = cells
  if (byId.size <= keep) return
  cells.complete = false
  for (const [id, { isChanged }] of byId) {
    if (byId.size <= keep) return
    if (!isChanged && !shared.has(id)) byId.delete(id)
  }
}

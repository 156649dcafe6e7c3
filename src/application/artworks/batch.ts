import { UnreadableEvent, unreadableToPeople } from '../kernel/codec.ts'
import type { Application } from '../application.ts'
import { type Done, fencedBy, refuseForgotten, StaleVersion } from '../kernel/execute.ts'
import { addArtwork, type ArtworkInput, deleteArtwork, reviseArtwork } from './artworks.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { derivedId } from '../kernel/ids.ts'
import { eachOf } from '../kernel/turns.ts'
import { firstRanksAbove, type RanksAbove } from '../kernel/rank.ts'
import { inActTurn, manyStreams } from '../kernel/many-streams.ts'
import type { RecordedEvent } from '../kernel/ports/event-store.ts'
import { cellsOf } from './row-cells.ts'
import { artworkAggregate, artworkStream } from '#domain/artworks/artwork.ts'
import { Refusal, type RefusalKind } from '#domain/refusal.ts'

/** One row of many artworks at once, already checked for shape; `refused` is one that failed that check. */
export type BatchRow =
  | { readonly what: 'add'; readonly input: ArtworkInput }
  | {
      readonly what: 'change'
      readonly id: string
      readonly changes: Partial<ArtworkInput>
      readonly expectedVersion: number | null
    }
  | { readonly what: 'delete'; readonly id: string }
  | { readonly what: 'refused'; readonly id: string | null; readonly fields: Fields }

type Fields = Readonly<Record<string, string>>

/** What came of a row; where it was not carried out, `fields` says why. */
interface BatchResult {
  /** of the artwork; null for a row that made none */
  readonly id: string | null
  readonly outcome: 'added' | 'there' | 'changed' | 'deleted' | 'stale' | RefusalKind
  readonly fields?: Fields
}

/** So many rows are worked on at once: one that waits for an image does not hold up all others. */
const atOnce = 4

/** @throws what is no refusal: then the whole may be sent again, and goes on where it stopped */
const refusedRow = (id: string | null, error: unknown): BatchResult => {
  if (error instanceof Refusal)
    return { id, outcome: error.kind, fields: error.fields ?? { id: error.message } }
  if (error instanceof StaleVersion)
    return { id, outcome: 'stale', fields: { expectedVersion: error.message } }
  // The others can be changed.
  if (error instanceof UnreadableEvent) return { id, outcome: 'blocked', fields: { id: unreadableToPeople } }
  throw error
}

/** What tells a row to add from all others: its cells, and its place among equal rows. */
const rowKeys = (rows: readonly BatchRow[]): readonly string[] => {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    if (row.what !== 'add') return ''
    const cells = cellsOf(row.input)
    const place = seen.get(cells) ?? 0
    seen.set(cells, place + 1)
    return `${place} ${cells}`
  })
}

/**
 * Adds, changes and deletes many artworks by one command: one entry of the activity. Each row is judged by itself.
 * A row to add makes the same artwork whenever it is sent, so that a table that was cut off, or is sent again with a
 * row put right, doubles nothing; an artwork that was taken back or deleted is added anew.
 * @param options `carryOut: false`: only tells what this very command did before
 * @throws {EngineAway} and what else is no refusal; sent again under the same id it goes on where it stopped
 */
export const batchArtworks = (
  app: Application,
  rows: readonly BatchRow[],
  context: CommandContext,
  options: { readonly carryOut: boolean } = { carryOut: true },
): Promise<Done & { readonly rows: readonly BatchResult[] }> =>
  inActTurn(app, [context.commandId], (mine) => workThrough(mine, rows, context, options))

const workThrough = async (
  app: Application,
  rows: readonly BatchRow[],
  context: CommandContext,
  options: { readonly carryOut: boolean },
): Promise<Done & { readonly rows: readonly BatchResult[] }> => {
  const many = manyStreams(app, context)
  // All rows are waited for together.
  const able = options.carryOut ? app : onlyJudging(app)
  const unwaited = { ...able, readModels: { ...app.readModels, shows: async () => true } }
  const batch = { app, unwaited, context, many, ranksIn: ranksOf(app, context.now, rows.length) }
  const keys = rowKeys(rows)
  const repeated = repeatedIn(rows)
  const results: BatchResult[] = []
  await eachOf(rows.entries(), atOnce, async ([n, row]) => {
    const id = 'id' in row ? row.id : null
    try {
      results[n] = repeated.has(n)
        ? { id, outcome: 'invalid', fields: { id: 'This work stands in an earlier row already' } }
        : await carryOutRow(batch, row, keys[n] ?? '', n)
    } catch (error) {
      results[n] = refusedRow(id, error)
    }
  })
  return { ...(await many.done('batch')), rows: results }
}

/** What the rows of one batch are carried out with. */
interface Batch {
  readonly app: Application
  /** carries a row out and waits for no view */
  readonly unwaited: Application
  readonly context: CommandContext
  readonly many: ReturnType<typeof manyStreams>
  readonly ranksIn: (sortOrder: number) => Promise<RanksAbove>
}

/** Places above what stood first at the beginning, by sort order: rows that were added since have places of their own. */
const ranksOf = (app: Application, now: Date, rows: number): Batch['ranksIn'] => {
  const ranks = new Map<number, Promise<RanksAbove>>()
  return (sortOrder) => {
    const known = ranks.get(sortOrder)
    if (known) return known
    const found = app.lookups.firstRank(sortOrder).then((first) => firstRanksAbove(first, now, rows))
    ranks.set(sortOrder, found)
    return found
  }
}

const carryOutRow = async (batch: Batch, row: BatchRow, key: string, n: number): Promise<BatchResult> => {
  const { unwaited, context } = batch
  switch (row.what) {
    case 'refused':
      return { id: row.id, outcome: 'invalid', fields: row.fields }
    case 'add':
      return addRow(batch, row.input, key, n)
    case 'change':
      return existingRow(batch, row.id, 'changed', () =>
        reviseArtwork(unwaited, row.id, row.changes, row.expectedVersion, context),
      )
    case 'delete':
      return existingRow(batch, row.id, 'deleted', () => deleteArtwork(unwaited, row.id, null, context))
  }
}

/** Whether this very command wrote to the stream before, which then counts as its work. */
const doneBefore = (
  { context, many }: Batch,
  stream: string,
  recorded: readonly RecordedEvent[],
): boolean => {
  const mine = recorded.filter(({ meta }) => meta.commandId === context.commandId)
  const last = mine.at(-1)
  if (last === undefined) return false
  refuseForgotten(context, last.occurredAt)
  many.count(stream, { position: last.position, written: mine.map(({ type }) => type) })
  return true
}

/** Adds an artwork under the first id made of its key that no deleted one has. */
const addRow = async (batch: Batch, input: ArtworkInput, key: string, n: number): Promise<BatchResult> => {
  const { app, unwaited, context, many, ranksIn } = batch
  for (let generation = 0; ; ) {
    const id = derivedId('row', key, String(generation))
    const stream = artworkStream(id)
    const read = () => app.eventStore.readStream(stream, 0)
    const recorded = await read()
    if (doneBefore(batch, stream, recorded)) return { id, outcome: 'added' }
    if (recorded.length === 0) {
      // The first row stands first: the newest artwork does.
      const own = { ...context, now: new Date(context.now.getTime() - n) }
      try {
        const rank = async (sortOrder: number): Promise<string> => (await ranksIn(sortOrder))(n, id)
        many.count(stream, await addArtwork(unwaited, input, own, { id, rank }))
        return { id, outcome: 'added' }
      } catch (error) {
        // The same table, sent twice at once, was faster: it is judged as one that was there before.
        if ((await read()).length > 0) continue
        throw error
      }
    }
    const { status } = await app.executor.load(artworkAggregate(id))
    if (status === 'present') return { id, outcome: 'there' }
    generation += 1
  }
}

const existingRow = async (
  batch: Batch,
  id: string,
  outcome: 'changed' | 'deleted',
  act: () => Promise<Done>,
): Promise<BatchResult> => {
  const stream = artworkStream(id)
  if (doneBefore(batch, stream, await batch.app.eventStore.readStream(stream, 0))) return { id, outcome }
  batch.many.count(stream, await act())
  return { id, outcome }
}

/** The numbers of the rows about an artwork that an earlier row is about already. */
const repeatedIn = (rows: readonly BatchRow[]): ReadonlySet<number> => {
  const named = new Set<string>()
  const repeated = new Set<number>()
  for (const [n, row] of rows.entries()) {
    if (row.what !== 'change' && row.what !== 'delete') continue
    if (named.has(row.id)) repeated.add(n)
    named.add(row.id)
  }
  return repeated
}

const refuseToCarryOut = (): never => {
  throw new Refusal('blocked', 'This row was not carried out. Send it again by itself')
}

/**
 * What writes nothing and fetches nothing: a row that has nothing to change, or is refused, comes to the same as it did
 * when it was carried out.
 */
const onlyJudging = (app: Application): Application => ({
  ...fencedBy(refuseToCarryOut, app),
  safeFetch: { ...app.safeFetch, download: async () => refuseToCarryOut() },
})

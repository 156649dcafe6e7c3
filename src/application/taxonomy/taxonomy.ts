import type { Application } from '../application.ts'
import { UnreadableEvent } from '../kernel/codec.ts'
import { type Done, dispatch } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { createdId } from '../kernel/ids.ts'
import { placeEntryBefore } from './order.ts'
import type { Term } from '#domain/artworks/fields.ts'
import type { TermNames } from '#domain/artworks/revise.ts'
import { oneLine } from '#domain/field-rules.ts'
import {
  type EntryChanges,
  type EntryFields,
  findByName,
  namesById,
  type TaxonomyKind,
} from '#domain/taxonomy/entry.ts'
import { taxonomyAggregate, type TaxonomyCommand } from '#domain/taxonomy/taxonomy.ts'

const sendEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  command: TaxonomyCommand,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => dispatch(app, id, { ...taxonomyAggregate(kind), command, context, expectedVersion })

/**
 * Adds a category or medium.
 * @throws {Refusal} `taken` when another has the name, `invalid` for a reserved or empty one
 */
export const addEntry = (
  app: Application,
  kind: TaxonomyKind,
  input: EntryFields,
  context: CommandContext,
  options: { readonly sample: boolean } = { sample: false },
): Promise<Done> => {
  const id = createdId(context.commandId, kind)
  return sendEntry(app, kind, id, { type: 'Add', id, ...input, sample: options.sample }, null, context)
}

/** Changes the given fields. @throws {Refusal} `missing`, `taken`, `invalid`; {@link StaleVersion} */
export const reviseEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  changes: EntryChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => sendEntry(app, kind, id, { type: 'Revise', id, changes }, expectedVersion, context)

/**
 * Puts an entry before another one, or last, by one event. Where it stands then is told by what is there when it is
 * written: two that are moved at once both come to stand where they were put.
 * @throws {Refusal} `missing` for the entry, `invalid` at `before` for the other one; {@link StaleVersion}
 */
export const moveEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  before: string | null,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const place: Extract<TaxonomyCommand, { type: 'Move' }>['place'] = (entries) =>
    placeEntryBefore(entries, id, before)
  return sendEntry(app, kind, id, { type: 'Move', id, place }, expectedVersion, context)
}

/** Deletes an entry; artworks that carry it keep its name as text. @throws {Refusal} `missing` */
export const deleteEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => sendEntry(app, kind, id, { type: 'Delete', id }, expectedVersion, context)

/**
 * A category or medium as a work takes it: with the id when the set knows the name at this moment, in the
 * set's own spelling; else as plain text.
 */
export const termOf = async (
  app: Pick<Application, 'executor'>,
  kind: TaxonomyKind,
  name: string,
): Promise<Term> => {
  if (name === '') return { id: null, name: '' }
  return (
    findByName(await app.executor.load(taxonomyAggregate(kind)), name) ?? { id: null, name: oneLine(name) }
  )
}

/**
 * What the ids on artworks stand for today, for telling a changed term from one that is only shown renamed; undefined where that
 * cannot be read: the names that stand in events count then.
 */
export const termNames = async (app: Pick<Application, 'executor'>): Promise<TermNames | undefined> => {
  try {
    const [category, medium] = await Promise.all([
      app.executor.load(taxonomyAggregate('Category')),
      app.executor.load(taxonomyAggregate('Medium')),
    ])
    return { category: namesById(category), medium: namesById(medium) }
  } catch (error) {
    if (error instanceof UnreadableEvent) return undefined
    throw error
  }
}

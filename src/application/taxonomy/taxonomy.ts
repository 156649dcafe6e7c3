import { type Application, type Done, dispatch } from '#application/app.ts'
import type { CommandContext } from '#application/envelope.ts'
import { createdId } from '#application/ids.ts'
import {
  categories,
  mediums,
  type TaxonomyCommand,
  type TaxonomyKind,
  taxonomyStream,
} from '#domain/taxonomy/taxonomy.ts'

export interface EntryInput {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
}

const send = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  command: TaxonomyCommand,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const order = { stream: taxonomyStream(kind), command, context, expectedVersion }
  return kind === 'Category'
    ? dispatch(app, id, { ...order, decider: categories })
    : dispatch(app, id, { ...order, decider: mediums })
}

/**
 * Adds a category or medium.
 * @throws {Refusal} `taken` when another has the name, `invalid` for a reserved or empty one
 */
export const addEntry = (
  app: Application,
  kind: TaxonomyKind,
  input: EntryInput,
  context: CommandContext,
  options: { readonly sample: boolean } = { sample: false },
): Promise<Done> => {
  const id = createdId(context.commandId, kind)
  return send(app, kind, id, { type: 'Add', id, ...input, sample: options.sample }, null, context)
}

/** Changes the given fields. @throws {Refusal} `missing`, `taken`, `invalid`; {@link StaleVersion} */
export const reviseEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  changes: { readonly [Field in keyof EntryInput]?: EntryInput[Field] | undefined },
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => send(app, kind, id, { type: 'Revise', id, changes }, expectedVersion, context)

/** Deletes an entry; works that carry it keep its name as text. @throws {Refusal} `missing` */
export const deleteEntry = (
  app: Application,
  kind: TaxonomyKind,
  id: string,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => send(app, kind, id, { type: 'Delete', id }, expectedVersion, context)

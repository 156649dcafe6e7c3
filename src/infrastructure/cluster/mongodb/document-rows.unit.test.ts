import { type Collection, MongoBulkWriteError } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { EngineUnheard } from '#application/kernel/ports/event-store.ts'
import type { DocumentRow } from './document-query.ts'
import { writeRows } from './document-rows.ts'
import { translated } from './mongo.ts'
import { at } from './testing/site.ts'

/** As the driver says that of two rows the second was there. */
const secondTaken = (isConfirmed: boolean): MongoBulkWriteError =>
  new MongoBulkWriteError(
    { message: 'E11000', code: 11_000, writeErrors: [{ index: 1, code: 11_000 }] as never },
    { getWriteConcernError: () => (isConfirmed ? undefined : { errmsg: 'waited' }) } as never, // all that is read of it
  )

const rows = ['one', 'two'].map((_id): DocumentRow => ({ _id, at: at(1), doc: {} }))

/** Two rows that are written at first, of which one is there. */
const written = async (isConfirmed: boolean) => {
  const replaced: string[] = []
  // No more of a collection is asked for.
  const collection = {
    insertMany: async () => {
      throw secondTaken(isConfirmed)
    },
    bulkWrite: async (list: readonly { replaceOne: { filter: { _id: string } } }[]) => {
      replaced.push(...list.map(({ replaceOne: { filter } }) => filter._id))
      return { matchedCount: list.length }
    },
  } as unknown as Collection<DocumentRow>
  const end = await writeRows(collection, rows, true).then(
    () => null,
    (error: unknown) => translated(error),
  )
  return { replaced, end }
}

describe('rows of which one is there already', () => {
  it('are written, that one in the place of what is older', async () => {
    expect(await written(true)).toEqual({ replaced: ['two'], end: null })
  })

  it('are written again where no majority has confirmed the others', async () => {
    const { replaced, end } = await written(false)
    expect(end).toBeInstanceOf(EngineUnheard)
    expect(replaced).toEqual([])
  })
})

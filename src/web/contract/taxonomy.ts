import { z } from 'zod'
import { entryRules } from '#domain/taxonomy/entry.ts'
import { changed, created, defineCalls, listOf, removed } from './call.ts'
import {
  body,
  changeBody,
  count,
  id,
  idParams,
  oneOf,
  optionalText,
  requiredText,
  sortOrder,
  timestamp,
  yesOrNo,
} from './field-schemas.ts'

const entry = () =>
  z.strictObject({
    id: id(),
    name: z.string(),
    description: z.string(),
    isActive: z.boolean(),
    sortOrder: z.int(),
    version: z.int(),
    /** how many artworks bear it; only for the owner */
    usedBy: count().exactOptional(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })

export const category = entry()
export type Category = z.output<typeof category>

export const medium = entry()

const fields = {
  /** `all` and `All Artwork` mean no filter in the gallery, so nothing may be called that. */
  name: requiredText(entryRules.name),
  description: optionalText(entryRules.description),
  isActive: yesOrNo('Active'),
  sortOrder: sortOrder(),
}

/** A new category or medium. */
export const newTaxonomyEntry = body({
  ...fields,
  description: fields.description.default(''),
  isActive: fields.isActive.default(true),
  sortOrder: fields.sortOrder.default(0),
})

/** A change to a category or medium: only the keys that were sent. */
export const taxonomyEntryChange = changeBody(
  oneOf('id', 'createdAt', 'updatedAt', 'version', 'usedBy'),
  fields,
)

/** Where a category or medium is moved: before another one, or to the end. */
const taxonomyPosition = body({
  before: z.guid('before must be the id of another one, or null for the last place').toLowerCase().nullable(),
})

/** The calls of one of the two sets. */
const callsOf = <S extends z.ZodType>(one: string, many: string, entity: S) =>
  ({
    list: {
      summary: `The active ${many}; signed in, all of them`,
      access: 'anyone',
      answers: listOf(entity),
    },
    add: { summary: `Adds a ${one}`, body: newTaxonomyEntry, answers: created(entity) },
    change: {
      summary: `Changes the given fields of a ${one}`,
      params: idParams,
      body: taxonomyEntryChange,
      answers: changed(entity),
    },
    move: {
      summary: `Moves a ${one} before another one, or to the end`,
      params: idParams,
      body: taxonomyPosition,
      answers: changed(entity),
    },
    delete: {
      summary: `Deletes a ${one}; its works keep the name`,
      params: idParams,
      answers: removed(entity),
    },
  }) as const
const ofCategories = callsOf('category', 'categories', category)
const ofMediums = callsOf('medium', 'mediums', medium)

export const taxonomyCalls = defineCalls('taxonomy', {
  listCategories: ofCategories.list,
  addCategory: ofCategories.add,
  changeCategory: ofCategories.change,
  moveCategory: ofCategories.move,
  deleteCategory: ofCategories.delete,
  listMediums: ofMediums.list,
  addMedium: ofMediums.add,
  changeMedium: ofMediums.change,
  moveMedium: ofMediums.move,
  deleteMedium: ofMediums.delete,
})

import { z } from 'zod'
import { entryRules } from '#domain/taxonomy/entry.ts'
import { changed, created, defineCalls, listOf, removed } from './call.ts'
import {
  body,
  count,
  expectedVersion,
  id,
  idParams,
  ignoringOwnFields,
  oneOf,
  optionalText,
  partly,
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
    /** how many works bear it; only for the owner */
    usedBy: count().exactOptional(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })

export const category = entry()
export type Category = z.output<typeof category>

export const medium = entry()
export type Medium = z.output<typeof medium>

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
export type NewTaxonomyEntry = z.output<typeof newTaxonomyEntry>
export type NewTaxonomyEntryInput = z.input<typeof newTaxonomyEntry>

/** A change to a category or medium: only the keys that were sent. */
export const taxonomyEntryChange = ignoringOwnFields(
  oneOf('id', 'createdAt', 'updatedAt', 'version', 'usedBy'),
  body({ ...partly(fields), expectedVersion: expectedVersion().exactOptional() }),
)
export type TaxonomyEntryChange = z.output<typeof taxonomyEntryChange>
export type TaxonomyEntryChangeInput = z.input<typeof taxonomyEntryChange>

/** Where a category or medium is moved: before another one, or to the end. */
export const taxonomyPosition = body({
  before: z.guid('before must be the id of another one, or null for the last place').toLowerCase().nullable(),
})
export type TaxonomyPosition = z.output<typeof taxonomyPosition>

export const taxonomyCalls = defineCalls('taxonomy', {
  listCategories: {
    summary: 'The active categories; signed in, all of them',
    access: 'anyone',
    answers: listOf(category),
  },
  addCategory: {
    summary: 'Adds a category',
    access: 'owner',
    body: newTaxonomyEntry,
    consumes: 'json',
    answers: created(category),
  },
  changeCategory: {
    summary: 'Changes the given fields of a category',
    access: 'owner',
    params: idParams,
    body: taxonomyEntryChange,
    consumes: 'json',
    answers: changed(category),
  },
  moveCategory: {
    summary: 'Moves a category before another one, or to the end',
    access: 'owner',
    params: idParams,
    body: taxonomyPosition,
    consumes: 'json',
    answers: changed(category),
  },
  deleteCategory: {
    summary: 'Deletes a category; its works keep the name',
    access: 'owner',
    params: idParams,
    consumes: 'none',
    answers: removed(category),
  },
  listMediums: {
    summary: 'The active mediums; signed in, all of them',
    access: 'anyone',
    answers: listOf(medium),
  },
  addMedium: {
    summary: 'Adds a medium',
    access: 'owner',
    body: newTaxonomyEntry,
    consumes: 'json',
    answers: created(medium),
  },
  changeMedium: {
    summary: 'Changes the given fields of a medium',
    access: 'owner',
    params: idParams,
    body: taxonomyEntryChange,
    consumes: 'json',
    answers: changed(medium),
  },
  moveMedium: {
    summary: 'Moves a medium before another one, or to the end',
    access: 'owner',
    params: idParams,
    body: taxonomyPosition,
    consumes: 'json',
    answers: changed(medium),
  },
  deleteMedium: {
    summary: 'Deletes a medium; its works keep the name',
    access: 'owner',
    params: idParams,
    consumes: 'none',
    answers: removed(medium),
  },
})

import { z } from 'zod'
import { type DetailField, detailFields, type Details, unsetDetails } from '#domain/artworks/details.ts'
import { type ArtworkFields, valueFields } from '#domain/artworks/fields.ts'
import type { ChoiceRule, TextRule } from '#domain/field-rules.ts'
import { upiKinds } from '#domain/site-content/rules.ts'
import { changed, created, defineCalls, listOf, removed } from './call.ts'
import { acceptedBody, errorBody } from './errors.ts'
import {
  absentWhenEmpty,
  body,
  changeBody,
  choice,
  id,
  idParams,
  nullWhenEmpty,
  oneOf,
  optionalText,
  requiredText,
  sortOrder,
  timestamp,
  whole,
  wholeOrNull,
  yesOrNo,
} from './field-schemas.ts'
import { saleStatuses } from './forms.ts'
import { limits } from './limits.ts'

/** spec W-10 */
const saleStatus = z.enum(saleStatuses, `Sale status must be one of ${saleStatuses.join(', ')}`)

type DetailSchemas = { [F in DetailField]: z.ZodType<Details[F], Details[F]> }
const eachDetail = (schemaOf: (rule: ChoiceRule | TextRule, unset: string) => z.ZodType): unknown =>
  Object.fromEntries(
    detailFields.map((field) => [field, schemaOf(valueFields[field].rule, unsetDetails[field])]),
  )
const detailSchema = (rule: ChoiceRule | TextRule) => ('words' in rule ? choice(rule) : optionalText(rule))
// Each schema is made of its own field's rule, here and below.
const detailInputs = eachDetail(detailSchema) as DetailSchemas
/** What is left out is what says nothing. */
const detailsOrUnset = eachDetail((rule, unset) => detailSchema(rule).default(unset)) as {
  [F in DetailField]: z.ZodDefault<DetailSchemas[F]>
}

/** A field of the domain by its name in the calls: the compiler names what lacks one, here, in the form and the inventory. */
export type ArtworkField = Exclude<keyof ArtworkFields, 'picture'> | 'imageUrl'
type OfEach<Value> = Readonly<Record<ArtworkField, Value>>

/** One artwork as every call answers it. */
export const artwork = z.strictObject({
  id: id(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  price: z.int(),
  category: z.string(),
  dimensions: z.string(),
  medium: z.string(),
  yearCreated: z.int().nullable(),
  ...(eachDetail((rule) => ('words' in rule ? choice(rule) : z.string())) as DetailSchemas),
  qrCodeUrl: z.string().nullable(),
  isVisible: z.boolean(),
  isAvailable: z.boolean(),
  isFeatured: z.boolean(),
  sortOrder: z.int(),
  saleStatus: z.enum(saleStatuses),
  altText: z.string(),
  slug: z.string(),
  version: z.int(),
  sample: z.boolean(),
  /** `link` is an image that is still shown from another site */
  imageSource: z.enum(['own', 'copying', 'link']),
  /** null while nothing is known of the image */
  image: z
    .strictObject({
      width: z.int(),
      height: z.int(),
      placeholder: z.string(),
      color: z.string(),
      ready: z.boolean(),
    })
    .nullable(),
  /** null unless the artwork is for sale with a price and a UPI id is set; `amount` is whole rupees */
  upi: z
    .strictObject({
      id: z.string(),
      payeeName: z.string(),
      amount: z.int(),
      uri: z.string(),
      kind: z.enum(upiKinds),
    })
    .nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
} satisfies OfEach<z.ZodType> & Record<string, z.ZodType>)
export type Artwork = z.output<typeof artwork>

const fields = {
  title: requiredText(valueFields.title.rule),
  description: optionalText(valueFields.description.rule),
  imageUrl: requiredText(valueFields.picture.rule),
  price: whole(valueFields.price.rule),
  category: optionalText(valueFields.category.rule),
  medium: optionalText(valueFields.medium.rule),
  dimensions: optionalText(valueFields.dimensions.rule),
  yearCreated: wholeOrNull(valueFields.yearCreated.rule),
  ...detailInputs,
  qrCodeUrl: nullWhenEmpty(valueFields.qrCodeUrl.rule),
  isVisible: yesOrNo('Show on website'),
  isAvailable: yesOrNo('Available'),
  isFeatured: yesOrNo('Featured'),
  saleStatus,
  altText: optionalText(valueFields.altText.rule),
  sortOrder: sortOrder(),
} satisfies OfEach<z.ZodType>

/**
 * A new artwork. What is left out gets its default (spec W-3); `yearCreated` stays out, for that is the year in which
 * the command is carried out.
 */
export const newArtwork = body({
  ...fields,
  description: fields.description.default(''),
  price: fields.price.default(0),
  category: fields.category.default(''),
  medium: fields.medium.default(''),
  dimensions: fields.dimensions.default(''),
  yearCreated: fields.yearCreated.exactOptional(),
  ...detailsOrUnset,
  qrCodeUrl: fields.qrCodeUrl.default(null),
  isVisible: fields.isVisible.default(true),
  isAvailable: fields.isAvailable.default(true),
  isFeatured: fields.isFeatured.default(false),
  saleStatus: fields.saleStatus.default('for_sale'),
  altText: fields.altText.default(''),
  sortOrder: fields.sortOrder.default(0),
})
export type NewArtworkInput = z.input<typeof newArtwork>

const isOwnField = oneOf(
  'id',
  'createdAt',
  'updatedAt',
  'version',
  'slug',
  'upi',
  'image',
  'imageSource',
  'sample',
)

/** A change to an artwork: only the keys that were sent. A `qrCodeUrl` that the server made is no override. */
export const artworkChange = changeBody(
  (key, value) =>
    isOwnField(key) || (key === 'qrCodeUrl' && typeof value === 'string' && value.startsWith('/qr/')),
  fields,
)

/** Where an artwork is moved: before another one, or to the end. */
export const artworkPosition = body({
  before: z.guid('before must be the id of a work, or null for the last place').toLowerCase().nullable(),
})

const rowId = z.guid('id must be the id of a work').toLowerCase()

/**
 * Many artworks at once. A row with `fields` adds one, or changes the one that `id` names; one with `delete`
 * deletes it. The fields of each row are checked by themselves, as {@link newArtwork} and {@link artworkChange}
 * are, so that one wrong cell refuses its row alone.
 */
const artworkBatch = body({
  rows: z
    .array(
      z.union(
        [
          z.strictObject({ id: rowId.exactOptional(), fields: z.record(z.string(), z.unknown()) }),
          z.strictObject({ id: rowId, delete: z.literal(true) }),
        ],
        'A row needs fields, or an id and "delete": true',
      ),
    )
    .max(limits.batchRows, `Send at most ${limits.batchRows} rows at once`),
})

/**
 * What came of each row, in order, as a call for it alone would answer: 201 added, 200 changed or there already,
 * 204 deleted, else a status of refusal with `fields` that say why, by path.
 */
const artworkBatchDone = z.strictObject({
  rows: z.array(
    z.strictObject({
      id: z.string().nullable(),
      status: z.union([200, 201, 204, 404, 409, 422].map((status) => z.literal(status))),
      fields: z.record(z.string(), z.string()).exactOptional(),
    }),
  ),
})

/**
 * Which artworks are listed. Other query keys are ignored. `category` is the exact name; empty and `all` are
 * no filter, an unknown one is an empty list. `deleted` needs a session; of those the newest are listed, or those before one.
 */
export const artworkFilter = z.object({
  category: absentWhenEmpty(z.string('Give one category')),
  deleted: absentWhenEmpty(
    z.enum(['true', 'false'], 'deleted must be true or false').transform((value) => value === 'true'),
  ),
  before: absentWhenEmpty(z.guid('before must be the id of a work').toLowerCase()),
})

export const artworkCalls = defineCalls('artworks', {
  listArtworks: {
    summary: 'The works on show; signed in, all works, or with deleted=true the recently deleted',
    access: 'anyone',
    query: artworkFilter,
    answers: { ...listOf(artwork), 401: errorBody, 404: errorBody },
  },
  getArtwork: {
    summary: 'One work',
    access: 'anyone',
    params: idParams,
    answers: { 200: artwork, 304: null, 404: errorBody },
  },
  addArtwork: {
    summary: 'Adds a work',
    body: newArtwork,
    answers: created(artwork),
  },
  batchArtworks: {
    summary: 'Adds, changes and deletes many works at once: one entry of the activity',
    body: artworkBatch,
    answers: { 200: artworkBatchDone, 202: acceptedBody },
  },
  changeArtwork: {
    summary: 'Changes the given fields of a work',
    params: idParams,
    body: artworkChange,
    answers: changed(artwork),
  },
  deleteArtwork: {
    summary: 'Deletes a work; it can be restored',
    params: idParams,
    answers: removed(artwork),
  },
  restoreArtwork: {
    summary: 'Brings a deleted work back',
    params: idParams,
    answers: changed(artwork),
  },
  moveArtwork: {
    summary: 'Moves a work before another one, or to the end',
    params: idParams,
    body: artworkPosition,
    answers: changed(artwork),
  },
  exportArtworks: {
    summary: 'The inventory as a table',
    produces: 'csv',
    answers: { 200: null },
  },
})

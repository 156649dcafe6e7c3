import {
  contentFields,
  paymentFields,
  type ContentField,
  type PaymentField,
  type SiteContentEvent,
} from './events.ts'
import {
  acceptedContent,
  siteContentFields,
  type SiteContentChanges,
  type SiteContentField,
} from './rules.ts'
import type { Decider } from '#domain/decider.ts'
import { Refusal } from '#domain/refusal.ts'

export type { SiteContentChanges } from './rules.ts'

/** The one stream of the site's texts and settings. */
export const siteContentStream = 'site-content'

export type ContentTexts = Readonly<Record<ContentField, string>>
export type PaymentDetails = Readonly<Record<PaymentField, string>>

export interface SiteContentState {
  /** unset is empty text */
  readonly content: ContentTexts
  readonly payment: PaymentDetails
  readonly blogUrl: string
  /** what the samples wrote, by field; emptied fields are not in it (decisions 107) */
  readonly sampleTexts: Readonly<Partial<Record<ContentField, string>>>
  /** the number of events: all of them are changes the owner can know of */
  readonly version: number
}

export type SiteContentCommand =
  | {
      readonly type: 'UpdateContent'
      readonly changes: SiteContentChanges
      /** the texts are sample content, to be removed with it */
      readonly sample?: boolean
    }
  | { readonly type: 'RemoveSampleContent' }
  /** Takes back what one command did: all of its events (decisions 96). */
  | { readonly type: 'UndoContentChange'; readonly events: readonly SiteContentEvent[] }

type Changes<Field extends string> = Partial<Record<Field, { from: string; to: string }>>

const differing = <Field extends SiteContentField>(
  fields: readonly Field[],
  now: Readonly<Record<Field, string>>,
  changes: SiteContentChanges,
): Changes<Field> => {
  const found: Changes<Field> = {}
  for (const field of fields) {
    const to = changes[field]
    if (to !== undefined && to !== now[field]) found[field] = { from: now[field], to }
  }
  return found
}

const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

/** One event for each kind of setting that really changes. */
const update = (
  state: SiteContentState,
  changes: SiteContentChanges,
  sample: boolean,
): readonly SiteContentEvent[] => {
  const content = differing(contentFields, state.content, changes)
  const payment = differing(paymentFields, state.payment, changes)
  const blog = differing(['blogUrl'], { blogUrl: state.blogUrl }, changes).blogUrl
  return [
    ...(isEmpty(content) ? [] : [{ type: 'ContentUpdated', data: { changes: content, sample } } as const]),
    ...(isEmpty(payment) ? [] : [{ type: 'PaymentDetailsChanged', data: { changes: payment } } as const]),
    ...(blog === undefined ? [] : [{ type: 'BlogAddressChanged', data: blog } as const]),
  ]
}

const removeSample = (state: SiteContentState): readonly SiteContentEvent[] => {
  const changes: Changes<ContentField> = {}
  for (const field of contentFields) {
    const now = state.content[field]
    if (now !== '' && now === state.sampleTexts[field]) changes[field] = { from: now, to: '' }
  }
  return isEmpty(changes) ? [] : [{ type: 'SampleContentRemoved', data: { changes } }]
}

/** Whether what one command did to the site's texts can be undone (decisions 96). */
export const canUndoContent = (types: readonly string[]): boolean =>
  types.length > 0 && !types.includes('SampleContentRemoved')

const undo = (state: SiteContentState, events: readonly SiteContentEvent[]): readonly SiteContentEvent[] => {
  if (!canUndoContent(events.map(({ type }) => type))) throw new Refusal('blocked', 'This cannot be undone')
  const now: Readonly<Record<SiteContentField, string>> = {
    ...state.content,
    ...state.payment,
    blogUrl: state.blogUrl,
  }
  const back: { [Field in SiteContentField]?: string } = {}
  for (const event of events) {
    const changes: Changes<SiteContentField> =
      event.type === 'BlogAddressChanged' ? { blogUrl: event.data } : event.data.changes
    for (const field of siteContentFields) {
      const change = changes[field]
      if (change === undefined) continue
      if (now[field] !== change.to)
        throw new Refusal('blocked', 'This was changed again since, so it can no longer be undone')
      back[field] = change.from
    }
  }
  return update(state, back, false)
}

const decide = (command: SiteContentCommand, state: SiteContentState): readonly SiteContentEvent[] => {
  switch (command.type) {
    case 'UpdateContent':
      return update(state, acceptedContent(command.changes), command.sample ?? false)
    case 'RemoveSampleContent':
      return removeSample(state)
    case 'UndoContentChange':
      return undo(state, command.events)
  }
}

const after = <Field extends string>(
  now: Readonly<Record<Field, string>>,
  changes: Changes<Field>,
): Readonly<Record<Field, string>> => {
  const texts: Record<Field, string> = { ...now }
  // The keys of `now` are the fields.
  for (const field of Object.keys(now) as Field[]) {
    const change = changes[field]
    if (change !== undefined) texts[field] = change.to
  }
  return texts
}

const evolve = (state: SiteContentState, event: SiteContentEvent): SiteContentState => {
  const version = state.version + 1
  switch (event.type) {
    case 'ContentUpdated': {
      const content = after(state.content, event.data.changes)
      if (!event.data.sample) return { ...state, content, version }
      const written = Object.entries(event.data.changes).map(([field, change]) => [field, change.to])
      return {
        ...state,
        content,
        version,
        sampleTexts: { ...state.sampleTexts, ...Object.fromEntries(written) },
      }
    }
    case 'PaymentDetailsChanged':
      return { ...state, payment: after(state.payment, event.data.changes), version }
    case 'BlogAddressChanged':
      return { ...state, blogUrl: event.data.to, version }
    case 'SampleContentRemoved':
      return { ...state, content: after(state.content, event.data.changes), sampleTexts: {}, version }
    default:
      return state
  }
}

const empty = <Field extends string>(fields: readonly Field[]): Readonly<Record<Field, string>> =>
  // Each field gets its key from the list the type is made of.
  Object.fromEntries(fields.map((field) => [field, ''])) as Record<Field, string>

/** The site's texts and settings: only real changes are events, each kind in its own words. */
export const siteContent: Decider<SiteContentState, SiteContentCommand, SiteContentEvent> = {
  initialState: {
    content: empty(contentFields),
    payment: empty(paymentFields),
    blogUrl: '',
    sampleTexts: {},
    version: 0,
  },
  decide,
  evolve,
  versionOf: (state) => state.version,
}

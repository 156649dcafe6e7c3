import type { SiteContentEvent } from './events.ts'
import {
  acceptedContent,
  type ContentField,
  contentFields,
  type PaymentField,
  paymentFields,
  type SiteContentChanges,
  type SiteContentField,
  siteContentFields,
} from './rules.ts'
import type { Decider } from '../decider.ts'
import { cannotBeUndone, changedSince } from '../refusal.ts'

/** The one stream of the site's texts and settings. */
export const siteContentStream = 'site-content'

type ContentTexts = Readonly<Record<ContentField, string>>
type PaymentDetails = Readonly<Record<PaymentField, string>>

export interface SiteContentState {
  /** unset is empty text */
  readonly content: ContentTexts
  readonly payment: PaymentDetails
  /** null until she has set it: then a default may stand for it */
  readonly blogUrl: string | null
  readonly showAchievements: boolean
  /** what the samples wrote and she never changed, by field; emptied fields are not in it */
  readonly sampleTexts: { readonly [Field in ContentField]?: string | undefined }
  /** the number of events: all of them are changes the owner can know of */
  readonly version: number
}

export type SiteContentCommand =
  | {
      readonly type: 'UpdateContent'
      readonly changes: SiteContentChanges
      /** the texts are sample content, to be removed with it */
      readonly sample?: boolean
      /** what stands for the blog's address until she has set it; empty unless told */
      readonly defaultBlogUrl?: string
    }
  | { readonly type: 'RemoveSampleContent' }
  /** Takes back what one command did: all of its events. */
  | { readonly type: 'UndoContentChange'; readonly events: readonly SiteContentEvent[] }

type UpdateContent = Extract<SiteContentCommand, { readonly type: 'UpdateContent' }>
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

/** What `AchievementsShown` and `AchievementsHidden` leave behind. */
export const showsAfter = (type: 'AchievementsShown' | 'AchievementsHidden'): boolean =>
  type === 'AchievementsShown'

/** One event for each kind of setting that really changes. */
const update = (
  state: SiteContentState,
  changes: SiteContentChanges,
  { sample = false, defaultBlogUrl = '' }: Pick<UpdateContent, 'sample' | 'defaultBlogUrl'>,
): readonly SiteContentEvent[] => {
  const content = differing(contentFields, state.content, changes)
  const payment = differing(paymentFields, state.payment, changes)
  // Told as it stood for her: an undo brings that back.
  const blog = differing(['blogUrl'], { blogUrl: state.blogUrl ?? defaultBlogUrl }, changes).blogUrl
  const { showAchievements: shows = state.showAchievements } = changes
  return [
    ...(isEmpty(content) ? [] : [{ type: 'ContentUpdated', data: { changes: content, sample } } as const]),
    ...(isEmpty(payment) ? [] : [{ type: 'PaymentDetailsChanged', data: { changes: payment } } as const]),
    ...(blog === undefined ? [] : [{ type: 'BlogAddressChanged', data: blog } as const]),
    ...(shows === state.showAchievements
      ? []
      : [{ type: shows ? 'AchievementsShown' : 'AchievementsHidden', data: {} } as const]),
  ]
}

/** Samples go from these fields. */
const emptied = (state: SiteContentState, fields: readonly ContentField[]): readonly SiteContentEvent[] => {
  const changes: Changes<ContentField> = {}
  for (const field of fields) changes[field] = { from: state.content[field], to: '' }
  return isEmpty(changes) ? [] : [{ type: 'SampleContentRemoved', data: { changes } }]
}

/** The sample texts that she never changed. */
export const untouchedTexts = (state: SiteContentState): readonly ContentField[] =>
  contentFields.filter((field) => {
    const now = state.content[field]
    return now !== '' && now === state.sampleTexts[field]
  })

const undo = (state: SiteContentState, events: readonly SiteContentEvent[]): readonly SiteContentEvent[] => {
  if (events.length === 0) throw cannotBeUndone()
  const now: Readonly<Record<SiteContentField, string>> = {
    ...state.content,
    ...state.payment,
    blogUrl: state.blogUrl ?? '',
  }
  const back: { [Field in SiteContentField]?: string } = {}
  let shows: boolean | undefined
  for (const event of events) {
    if (event.type === 'AchievementsShown' || event.type === 'AchievementsHidden') {
      if (state.showAchievements !== showsAfter(event.type)) throw changedSince()
      shows = !state.showAchievements
      continue
    }
    const changes: Changes<SiteContentField> =
      event.type === 'BlogAddressChanged' ? { blogUrl: event.data } : event.data.changes
    for (const field of siteContentFields) {
      const change = changes[field]
      if (change === undefined) continue
      if (now[field] !== change.to) throw changedSince()
      back[field] = change.from
    }
  }
  const empties = Object.values(back).every((text) => text === '')
  if (empties && events.every((event) => event.type === 'ContentUpdated' && event.data.sample))
    return emptied(
      state,
      contentFields.filter((field) => back[field] !== undefined),
    )
  // What comes back with the samples is a sample again.
  return update(
    state,
    { ...back, showAchievements: shows },
    { sample: events.every(({ type }) => type === 'SampleContentRemoved') },
  )
}

const decide = (command: SiteContentCommand, state: SiteContentState): readonly SiteContentEvent[] => {
  switch (command.type) {
    case 'UpdateContent':
      return update(state, acceptedContent(command.changes), command)
    case 'RemoveSampleContent':
      return emptied(state, untouchedTexts(state))
    case 'UndoContentChange':
      return undo(state, command.events)
  }
}

/** Texts after an event's changes, those that were never saved too. */
export const textsAfter = <Field extends string, Texts extends { readonly [F in Field]?: string }>(
  fields: readonly Field[],
  now: Texts,
  changes: Changes<Field>,
): Texts => {
  const texts: { [F in Field]?: string } = {}
  for (const field of fields) {
    const change = changes[field]
    if (change !== undefined) texts[field] = change.to
  }
  return { ...now, ...texts }
}

const evolve = (state: SiteContentState, event: SiteContentEvent): SiteContentState => {
  const version = state.version + 1
  switch (event.type) {
    case 'ContentUpdated': {
      const content = textsAfter(contentFields, state.content, event.data.changes)
      const { changes, sample } = event.data
      const written = Object.entries(changes).map(([field, change]) => [
        field,
        sample ? change.to : undefined,
      ])
      // What she wrote herself is hers, also where it reads as the sample did.
      const sampleTexts = { ...state.sampleTexts, ...Object.fromEntries(written) }
      return { ...state, content, version, sampleTexts }
    }
    case 'PaymentDetailsChanged':
      return { ...state, payment: textsAfter(paymentFields, state.payment, event.data.changes), version }
    case 'BlogAddressChanged':
      return { ...state, blogUrl: event.data.to, version }
    case 'AchievementsShown':
    case 'AchievementsHidden':
      return { ...state, showAchievements: showsAfter(event.type), version }
    case 'SampleContentRemoved':
      return {
        ...state,
        content: textsAfter(contentFields, state.content, event.data.changes),
        sampleTexts: {},
        version,
      }
    default:
      return state
  }
}

const empty = <Field extends string>(fields: readonly Field[]): Readonly<Record<Field, string>> =>
  // Each field gets its key from the list the type is made of.
  Object.fromEntries(fields.map((field) => [field, ''])) as Record<Field, string>

/** The site's texts and settings: only real changes are events, each kind in its own words. */
export const siteContentDecider: Decider<SiteContentState, SiteContentCommand, SiteContentEvent> = {
  initialState: {
    content: empty(contentFields),
    payment: empty(paymentFields),
    blogUrl: null,
    showAchievements: true,
    sampleTexts: {},
    version: 0,
  },
  decide,
  evolve,
  versionOf: (state) => state.version,
}

/** The texts of the page, as one aggregate. */
export const siteContentAggregate = { stream: siteContentStream, decider: siteContentDecider }

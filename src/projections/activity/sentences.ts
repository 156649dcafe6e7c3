import { detailFields, details, detailInWords } from '#domain/artworks/details.ts'
import type { ArtworkEvent } from '#domain/artworks/events.ts'
import type { ArtworkFields, Term } from '#domain/artworks/fields.ts'
import { priceInWords } from '#domain/artworks/price.ts'
import { fieldChange } from '#domain/artworks/state.ts'
import { type DomainEventType, type EventModule, eventsByModule } from '#domain/events.ts'
import { fieldInWords, keysOf } from '#domain/field-rules.ts'
import type { LoggedEvent } from '#application/kernel/codec.ts'

/** What the owner hears of an event in the activity. */
export interface News {
  readonly sentence: string
  /** what of its subject the event changed; a later change of the same makes it final */
  readonly fields: readonly string[]
  /** words for the button that takes it back */
  readonly undo?: string
}

/** A name or title in quotes; what has none is named by its kind. */
const quoted = (name: string, otherwise: string): string => (name === '' ? otherwise : `“${name}”`)

/** How a plain value changed: "changed from A to B", "was set to B", "was removed". */
const change = (from: string, to: string): string => {
  if (from === '') return `was set to ${to}`
  return to === '' ? `was removed (it was ${from})` : `changed from ${from} to ${to}`
}

const mostNamed = 5

/** "Artist name, Hero title and 3 more". */
const listed = (names: readonly string[]): string => {
  const rest = names.length - mostNamed
  return rest > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${rest} more` : names.join(', ')
}

/** The site that an address belongs to, for people. */
const siteOf = (address: string): string => URL.parse(address)?.hostname || 'another site'

const once = (sentence: string, ...fields: readonly string[]): News => ({ sentence, fields })

const can = (sentence: string, fields: string | readonly string[], undo: string): News => ({
  sentence,
  fields: typeof fields === 'string' ? [fields] : fields,
  undo,
})

/** What happened to an artwork, and words for the way back where there is one. */
type Words = readonly [sentence: string, undo?: string | undefined]

const ofTerm = (kind: 'category' | 'medium', title: string, from: Term, to: Term): Words => {
  if (to.name === '') return [`${title} has no ${kind} any more (it was “${from.name}”)`, 'Undo']
  const how = from.name === '' ? `was set to “${to.name}”` : `changed from “${from.name}” to “${to.name}”`
  return [`${fieldInWords(kind)} of ${title} ${how}`, 'Undo']
}

const year = (value: number | null): string => (value === null ? '' : String(value))

/** A detail that she told anew. */
const ofDetail = (event: ArtworkEvent, title: string): Words | null => {
  const field = detailFields.find((each) => details[each].changedBy === event.type)
  if (field === undefined) return null
  // By the table, an event of this name tells of this field.
  const { from, to } = event.data as { readonly from: string; readonly to: string }
  const { label, words } = details[field]
  const toText = (value: string): string => {
    const inWords = detailInWords(field, value) ?? ''
    return words ? inWords.toLowerCase() : inWords
  }
  return [`${label} of ${title} ${change(toText(from), toText(to))}`, 'Undo']
}

/** Behind the title. */
const byType: { readonly [Type in ArtworkEvent['type']]?: Words } = {
  ArtworkHidden: ['was hidden', 'Make it available again'],
  ArtworkMadeAvailable: ['was made available', 'Hide it again'],
  ArtworkPublished: ['was put on the website', 'Take it off again'],
  ArtworkUnpublished: ['was taken off the website', 'Put it back on'],
  ArtworkFeatured: ['was featured', 'Undo'],
  ArtworkUnfeatured: ['is no longer featured', 'Feature it again'],
  ArtworkReserved: ['was reserved', 'Undo'],
  ArtworkSold: ['was sold', 'It is not sold'],
  ArtworkReleased: ['was offered for sale', 'Undo'],
  ArtworkWithdrawnFromSale: ['is not for sale any more', 'Undo'],
  ArtworkMoved: ['was moved in the gallery', 'Move it back'],
  ArtworkDeleted: ['was deleted', 'Restore it'],
  ArtworkRestored: ['was restored', 'Delete it again'],
}

/** What the view calls a field that the domain's table calls otherwise; stored documents have these names. */
const storedNames: { readonly [Field in keyof ArtworkFields]?: string } = {
  yearCreated: 'year',
  qrCodeUrl: 'qrCode',
  sortOrder: 'place',
}

/**
 * What an event changed of an artwork: a field by the domain's table, or whether it is there. Where its image is kept is no
 * change of it.
 */
const changedOf = (event: ArtworkEvent): readonly string[] => {
  if (event.type === 'ArtworkPictureCopied' || event.type === 'ArtworkPictureLinked') return []
  const field = event.type === 'ArtworkMoved' ? 'sortOrder' : fieldChange(event)?.field
  return [field === undefined ? 'existence' : (storedNames[field] ?? field)]
}

const artworkWords = (event: ArtworkEvent, name: string): Words | null => {
  const title = quoted(name, 'A work')
  switch (event.type) {
    case 'ArtworkAdded':
      return [`${title} was added${event.data.sample ? ' as a sample' : ''}`]
    case 'ArtworkRetitled': {
      const from = quoted(event.data.from, 'A work')
      return [`${from} was renamed to ${quoted(event.data.to, 'nothing')}`, `Rename back to ${from}`]
    }
    case 'ArtworkDescribed':
      return [`Description of ${title} changed`, 'Bring back the old description']
    case 'ArtworkPriceChanged': {
      const [from, to] = [event.data.from, event.data.to].map((price) => priceInWords(price).toLowerCase())
      return [`Price of ${title} changed from ${from} to ${to}`, `Back to ${from}`]
    }
    case 'ArtworkCategorised':
      return ofTerm('category', title, event.data.from, event.data.to)
    case 'ArtworkMediumChanged':
      return ofTerm('medium', title, event.data.from, event.data.to)
    case 'ArtworkDimensionsChanged':
      return [`Size of ${title} ${change(event.data.from, event.data.to)}`, 'Undo']
    case 'ArtworkYearChanged':
      return [`Year of ${title} ${change(year(event.data.from), year(event.data.to))}`, 'Undo']
    case 'ArtworkAltTextChanged':
      return [`Picture description of ${title} changed`, 'Bring back the old description']
    case 'ArtworkPictureReplaced':
      return [`${title} got a new picture`, 'Bring back the old picture']
    case 'ArtworkPictureCopied':
      return [`The picture of ${title} was copied from ${siteOf(event.data.sourceUrl)}`]
    case 'ArtworkPictureLinked': {
      const site = siteOf(event.data.sourceUrl)
      return [`The picture of ${title} is shown from ${site}, for it could not be copied`]
    }
    case 'ArtworkQrCodeChanged':
      return event.data.to === null
        ? [`The QR code given for ${title} was removed`, 'Bring it back']
        : [`A QR code was given for ${title}`, 'Undo']
    case 'SampleArtworkRemoved':
      return [`The sample ${title} was removed`, 'Bring it back']
    default: {
      const words = byType[event.type]
      return words ? [`${title} ${words[0]}`, words[1]] : ofDetail(event, title)
    }
  }
}

const ofArtwork = (event: ArtworkEvent, name: string): News | null => {
  const words = artworkWords(event, name)
  if (words === null) return null
  const [sentence, undo] = words
  return undo === undefined ? once(sentence, ...changedOf(event)) : can(sentence, changedOf(event), undo)
}

const ofSet = (event: LoggedEvent, name: string): News | null => {
  const kind = event.type.startsWith('Category') ? 'category' : 'medium'
  const title = `${fieldInWords(kind)} ${quoted(name, 'without a name')}`
  switch (event.type) {
    case 'CategoryAdded':
    case 'MediumAdded':
      return once(`${title} was added`)
    case 'CategoryRenamed':
    case 'MediumRenamed': {
      const from = `“${event.data.from}”`
      const sentence = `${fieldInWords(kind)} ${from} was renamed to “${event.data.to}”`
      return can(sentence, 'name', `Rename back to ${from}`)
    }
    case 'CategoryDescribed':
    case 'MediumDescribed':
      return can(
        `Description of ${kind} ${quoted(name, 'without a name')} changed`,
        'description',
        'Bring back the old description',
      )
    case 'CategoryReordered':
    case 'MediumReordered':
    case 'CategoryMoved':
    case 'MediumMoved':
      return can(`${title} was moved in the order`, 'place', 'Move it back')
    case 'CategoryActivated':
    case 'MediumActivated':
      return can(`${title} was switched on`, 'isActive', 'Switch it off again')
    case 'CategoryDeactivated':
    case 'MediumDeactivated':
      return can(`${title} was switched off`, 'isActive', 'Switch it on again')
    case 'CategoryDeleted':
    case 'MediumDeleted':
      return can(`${title} was deleted`, 'existence', 'Restore it')
    case 'CategoryRestored':
    case 'MediumRestored':
      return can(`${title} was restored`, 'existence', 'Delete it again')
    default:
      return null
  }
}

/** Not in the order in which they were written: in a log that was restored their names are sorted. */
const named = (changes: object): readonly string[] => Object.keys(changes).toSorted()

const ofSite = (event: LoggedEvent): News | null => {
  switch (event.type) {
    case 'ContentUpdated': {
      const fields = named(event.data.changes)
      if (event.data.sample) return can('Sample texts were added', fields, 'Take them away')
      const sentence = `Site texts changed: ${listed(fields.map(fieldInWords))}`
      return can(sentence, fields, 'Bring back the old texts')
    }
    case 'SampleContentRemoved':
      return can('Sample texts were removed', named(event.data.changes), 'Bring them back')
    case 'PaymentDetailsChanged': {
      const fields = named(event.data.changes)
      return can(`Payment details changed: ${listed(fields.map(fieldInWords))}`, fields, 'Undo')
    }
    case 'AchievementsShown':
      return can('The achievements are on the page again', 'showAchievements', 'Take them off again')
    case 'AchievementsHidden':
      return can('The achievements were taken off the page', 'showAchievements', 'Show them again')
    case 'BlogAddressChanged':
      return can(`Blog address ${change(event.data.from, event.data.to)}`, 'blogUrl', 'Undo')
    default:
      return null
  }
}

const unlessNone = (n: number, what: string): readonly string[] => (n === 0 ? [] : [`${n} ${what}`])

const overridden = (event: LoggedEvent<'BlogPostOverridden'>, title: string): string => {
  const what = { title: 'title', excerpt: 'excerpt', imageUrl: 'picture' }[event.data.field]
  return event.data.to === null
    ? `Journal post ${title} shows the blog’s own ${what} again`
    : `Journal post ${title} got ${what === 'excerpt' ? 'an' : 'a'} ${what} of its own`
}

const ofJournal = (event: LoggedEvent, name: string): News | null => {
  const title = quoted(name, 'without a title')
  switch (event.type) {
    case 'BlogPostHidden':
      return can(`Journal post ${title} was hidden`, 'isVisible', 'Show it again')
    case 'BlogPostShown':
      return can(`Journal post ${title} is shown again`, 'isVisible', 'Hide it again')
    case 'BlogPostOverridden':
      return can(overridden(event, title), event.data.field, 'Undo')
    case 'BlogPostRemoved':
      // What the blog takes away is told with the run that found it.
      return event.data.reason === 'sample'
        ? can(`The sample post ${title} was removed`, 'existence', 'Bring it back')
        : null
    case 'BlogPostReturned':
      return event.meta.actor.kind === 'owner'
        ? can(`Journal post ${title} was brought back`, 'existence', 'Take it away again')
        : null
    case 'BlogSyncCompleted': {
      const { created, updated, removed } = event.data
      const counts = [
        ...unlessNone(created, 'new'),
        ...unlessNone(updated, 'changed'),
        ...unlessNone(removed, 'removed'),
      ]
      // Every six hours nothing has changed: that is no news.
      return counts.length === 0 ? null : once(`The journal followed the blog: ${counts.join(', ')}`)
    }
    case 'BlogSyncFailed':
      return once(`The blog could not be read: ${event.data.reason}`)
    default:
      return null
  }
}

/** Names no person. `about` is the title of the artwork it is about, empty without one. */
const ofMessage = (event: LoggedEvent, about: string): News | null => {
  const newMessage = about === '' ? 'An enquiry' : `An enquiry about “${about}”`
  switch (event.type) {
    case 'MessageReceived':
      return once(`${newMessage} arrived`)
    case 'MessageMarkedRead':
      return once(`${newMessage} was marked as read`)
    case 'MessageErased':
      return once(`${newMessage} was deleted, with everything the visitor wrote`)
    case 'EnquiryMailed':
      return once(`${newMessage} was mailed to you`)
    case 'EnquiryMailRefused':
      return once(`${newMessage} could not be mailed to you: ${event.data.reason}`)
    default:
      return null
  }
}

const ofImage = (event: LoggedEvent): News | null =>
  event.type === 'ImageProcessingFailed'
    ? once(`A picture could not be prepared for the website: ${event.data.reason}`)
    : null

const moduleByType = Object.fromEntries(
  keysOf(eventsByModule).flatMap((module) =>
    Object.keys(eventsByModule[module]).map((type) => [type, module]),
  ),
) as Readonly<Record<DomainEventType, EventModule>> // the modules' tables together are that of all types

export const moduleOf = (type: DomainEventType): EventModule => moduleByType[type]

/**
 * What an event says in plain words; null when it is no news for the owner.
 * @param name of the event's subject after the event: an artwork's title, a category's name; of a message: the
 *   title of the artwork it is about
 */
export const newsOf = (event: LoggedEvent, name: string): News | null => {
  switch (moduleOf(event.type)) {
    case 'artworks':
      // The events of this module are an artwork's.
      return ofArtwork(event as LoggedEvent<ArtworkEvent['type']>, name)
    case 'taxonomy':
      return ofSet(event, name)
    case 'site-content':
      return ofSite(event)
    case 'journal':
      return ofJournal(event, name)
    case 'messages':
      return ofMessage(event, name)
    case 'images':
      return ofImage(event)
  }
}

import { detailFields, details, saidIn } from '#domain/artworks/details.ts'
import type { Label } from '#domain/artworks/fields.ts'
import { priceInWords } from '#domain/artworks/price.ts'
import { type DomainEventType, eventsByModule } from '#domain/events.ts'
import { fieldInWords, keysOf } from '#domain/field-rules.ts'
import type { ProjectedEvent } from '../runtime/projection.ts'

/** What an event says in the activity. */
export interface Told {
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

const once = (sentence: string, ...fields: readonly string[]): Told => ({ sentence, fields })

const can = (sentence: string, fields: string | readonly string[], undo: string): Told => ({
  sentence,
  fields: typeof fields === 'string' ? [fields] : fields,
  undo,
})

const label = (kind: 'category' | 'medium', title: string, from: Label, to: Label): Told => {
  const undo = 'Undo'
  if (to.name === '') return can(`${title} has no ${kind} any more (it was “${from.name}”)`, kind, undo)
  const how = from.name === '' ? `was set to “${to.name}”` : `changed from “${from.name}” to “${to.name}”`
  return can(`${fieldInWords(kind)} of ${title} ${how}`, kind, undo)
}

const year = (value: number | null): string => (value === null ? '' : String(value))

/** A detail that she told anew. */
const ofDetail = (event: ProjectedEvent, title: string): Told | null => {
  const field = detailFields.find((each) => details[each].changedBy === event.type)
  if (field === undefined) return null
  // By the table, an event of this name tells of this field.
  const { from, to } = event.data as { readonly from: string; readonly to: string }
  const { label, words } = details[field]
  const inWords = (value: string): string => {
    const said = saidIn(field, value) ?? ''
    return words ? said.toLowerCase() : said
  }
  const sentence = `${label} of ${title} ${change(inWords(from), inWords(to))}`
  return can(sentence, field, 'Undo')
}

/** Behind the title: what happened, the field that changed, and words for the way back. */
const toldByTitle: { readonly [Type in DomainEventType]?: readonly [string, string, string] } = {
  ArtworkHidden: ['was hidden', 'isAvailable', 'Make it available again'],
  ArtworkMadeAvailable: ['was made available', 'isAvailable', 'Hide it again'],
  ArtworkPublished: ['was put on the website', 'isVisible', 'Take it off again'],
  ArtworkUnpublished: ['was taken off the website', 'isVisible', 'Put it back on'],
  ArtworkFeatured: ['was featured', 'isFeatured', 'Undo'],
  ArtworkUnfeatured: ['is no longer featured', 'isFeatured', 'Feature it again'],
  ArtworkReserved: ['was reserved', 'saleStatus', 'Undo'],
  ArtworkSold: ['was sold', 'saleStatus', 'It is not sold'],
  ArtworkReleased: ['was offered for sale', 'saleStatus', 'Undo'],
  ArtworkWithdrawnFromSale: ['is not for sale any more', 'saleStatus', 'Undo'],
  ArtworkMoved: ['was moved in the gallery', 'place', 'Move it back'],
  ArtworkDeleted: ['was deleted', 'existence', 'Restore it'],
  ArtworkRestored: ['was restored', 'existence', 'Delete it again'],
}

const ofArtwork = (event: ProjectedEvent, name: string): Told | null => {
  const title = quoted(name, 'A work')
  switch (event.type) {
    case 'ArtworkAdded':
      return once(`${title} was added${event.data.sample ? ' as a sample' : ''}`, 'existence')
    case 'ArtworkRetitled': {
      const from = quoted(event.data.from, 'A work')
      return can(
        `${from} was renamed to ${quoted(event.data.to, 'nothing')}`,
        'title',
        `Rename back to ${from}`,
      )
    }
    case 'ArtworkDescribed':
      return can(`Description of ${title} changed`, 'description', 'Bring back the old description')
    case 'ArtworkPriceChanged': {
      const [from, to] = [event.data.from, event.data.to].map((price) => priceInWords(price).toLowerCase())
      const sentence = `Price of ${title} changed from ${from} to ${to}`
      return can(sentence, 'price', `Back to ${from}`)
    }
    case 'ArtworkCategorised':
      return label('category', title, event.data.from, event.data.to)
    case 'ArtworkMediumChanged':
      return label('medium', title, event.data.from, event.data.to)
    case 'ArtworkDimensionsChanged':
      return can(`Size of ${title} ${change(event.data.from, event.data.to)}`, 'dimensions', 'Undo')
    case 'ArtworkYearChanged':
      return can(`Year of ${title} ${change(year(event.data.from), year(event.data.to))}`, 'year', 'Undo')
    case 'ArtworkAltTextChanged':
      return can(`Picture description of ${title} changed`, 'altText', 'Bring back the old description')
    case 'ArtworkPictureReplaced':
      return can(`${title} got a new picture`, 'picture', 'Bring back the old picture')
    case 'ArtworkPictureCopied':
      return once(`The picture of ${title} was copied from ${siteOf(event.data.sourceUrl)}`, 'picture')
    case 'ArtworkPictureLinked': {
      const site = siteOf(event.data.sourceUrl)
      return once(`The picture of ${title} is shown from ${site}, for it could not be copied`, 'picture')
    }
    case 'ArtworkQrCodeChanged':
      return event.data.to === null
        ? can(`The QR code given for ${title} was removed`, 'qrCode', 'Bring it back')
        : can(`A QR code was given for ${title}`, 'qrCode', 'Undo')
    case 'SampleArtworkRemoved':
      return can(`The sample ${title} was removed`, 'existence', 'Bring it back')
    default: {
      const told = toldByTitle[event.type]
      return told ? can(`${title} ${told[0]}`, told[1], told[2]) : ofDetail(event, title)
    }
  }
}

const ofSet = (event: ProjectedEvent, name: string): Told | null => {
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

const ofSite = (event: ProjectedEvent): Told | null => {
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

const counted = (n: number, what: string): readonly string[] => (n === 0 ? [] : [`${n} ${what}`])

const overridden = (event: ProjectedEvent<'BlogPostOverridden'>, title: string): string => {
  const what = { title: 'title', excerpt: 'excerpt', imageUrl: 'picture' }[event.data.field]
  return event.data.to === null
    ? `Journal post ${title} shows the blog’s own ${what} again`
    : `Journal post ${title} got ${what === 'excerpt' ? 'an' : 'a'} ${what} of its own`
}

const ofJournal = (event: ProjectedEvent, name: string): Told | null => {
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
        ...counted(created, 'new'),
        ...counted(updated, 'changed'),
        ...counted(removed, 'removed'),
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
const ofMessage = (event: ProjectedEvent, about: string): Told | null => {
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

const ofImage = (event: ProjectedEvent): Told | null =>
  event.type === 'ImageProcessingFailed'
    ? once(`A picture could not be prepared for the website: ${event.data.reason}`)
    : null

export type ActivityModule = keyof typeof eventsByModule

const moduleByType = Object.fromEntries(
  keysOf(eventsByModule).flatMap((module) =>
    Object.keys(eventsByModule[module]).map((type) => [type, module]),
  ),
) as Readonly<Record<DomainEventType, ActivityModule>> // the modules' tables together are that of all types

export const moduleOf = (type: DomainEventType): ActivityModule => moduleByType[type]

/**
 * What an event says in plain words; null when it is no news for the owner.
 * @param name of the event's subject after the event: an artwork's title, a category's name; of a message: the
 *   title of the artwork it is about
 */
export const tell = (event: ProjectedEvent, name: string): Told | null => {
  switch (moduleOf(event.type)) {
    case 'artworks':
      return ofArtwork(event, name)
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

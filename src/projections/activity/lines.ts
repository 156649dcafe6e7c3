import type { Actor, JsonObject } from '#application/kernel/ports/event-store.ts'
import type { DomainEventType } from '#domain/events.ts'
import type { ViewDocument } from '../runtime/projection.ts'

/** Of one command so many events are told; the others are counted. */
export const mostSentences = 6

/** What one event did, in words. What can be told from the rest is left out: lines are most of the view. */
export interface ActivityLine extends JsonObject {
  readonly command: string
  readonly at: string
  readonly actor: Actor['kind']
  readonly type: DomainEventType
  readonly stream: string
  /** empty when its command has told enough before it */
  readonly sentence: string
  /** what of its subject the event changed */
  readonly fields: readonly string[]
  /** the category or medium it is about, which share a stream */
  readonly entry?: string
  /** words for the button that takes it back, where there are any */
  readonly undo?: string
  /** the artwork that a message is about */
  readonly artwork?: string
  /** what it deleted went with the sample content */
  readonly withSamples?: true
  /** how many lines its command has before this one; absent on its first */
  readonly nth?: number
  /** the page on which its command begins, when that is another one */
  readonly first?: number
  /** its command has more lines on the next page */
  readonly goesOn?: true
}

/** Events one after the other as the log has them, those that are news. */
export interface ActivityPage extends ViewDocument {
  readonly kind: 'page'
  readonly page: number
  readonly lines: readonly ActivityLine[]
}

/** What a later sentence must know of an artwork, a category, a post or a message. */
export interface ActivitySubject extends ViewDocument {
  readonly kind: 'subject'
  readonly name: string
  /** the artwork that it is or that it is about */
  readonly artworkId: string | null
  readonly deleted: boolean
  /**
   * What each field was left by, newest first: the top can still be undone. A step names the command that made the value,
   * behind the undo that brought it back where there was one.
   */
  readonly steps: { readonly [field: string]: readonly (readonly string[])[] }
  /** where lines about its artwork stand, of the first revisions of its stream; for later ones {@link ActivityPlaces} */
  readonly pages: readonly number[]
}

/** Where lines about an artwork stand, of some revisions of a stream. */
export interface ActivityPlaces extends ViewDocument {
  readonly kind: 'places'
  readonly artworkId: string | null
  readonly pages: readonly number[]
}

export const pageId = (page: number): string => `page:${page}`

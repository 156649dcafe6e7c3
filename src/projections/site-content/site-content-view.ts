import type { LoggedEvent } from '#application/kernel/codec.ts'
import { siteContentId } from '#application/site-content/site-content.ts'
import { keysOf } from '#domain/field-rules.ts'
import { type SiteContentEvent, siteContentEvents } from '#domain/site-content/events.ts'
import {
  type ContentField,
  contentFields,
  type PaymentField,
  paymentFields,
} from '#domain/site-content/rules.ts'
import { showsAfter, textsAfter } from '#domain/site-content/site-content.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/** What was saved of the site's texts and settings; fields never saved are absent. */
export interface SiteContentDoc extends ViewDocument {
  readonly texts: { readonly [Field in ContentField]?: string }
  readonly payment: { readonly [Field in PaymentField]?: string }
  /** null until it was set once: then the default from the settings applies */
  readonly blogUrl: string | null
  readonly showAchievements: boolean
  readonly version: number
  readonly updatedAt: string
}

const changeOf = (
  doc: Pick<SiteContentDoc, 'texts' | 'payment' | 'blogUrl'>,
  event: LoggedEvent<SiteContentEvent['type']>,
): Partial<SiteContentDoc> => {
  switch (event.type) {
    case 'ContentUpdated':
    case 'SampleContentRemoved':
      return { texts: textsAfter(contentFields, doc.texts, event.data.changes) }
    case 'PaymentDetailsChanged':
      return { payment: textsAfter(paymentFields, doc.payment, event.data.changes) }
    case 'BlogAddressChanged':
      return { blogUrl: event.data.to }
    case 'AchievementsShown':
    case 'AchievementsHidden':
      return { showAchievements: showsAfter(event.type) }
  }
}

const nothingSaved = {
  id: siteContentId,
  texts: {},
  payment: {},
  blogUrl: null,
  showAchievements: true,
  version: 0,
}

export const siteContentProjection: Projection<SiteContentDoc, SiteContentEvent['type']> = {
  view: { name: 'site-content', version: 2, indexes: [] },
  models: ['site-content'],
  handles: keysOf(siteContentEvents),
  targets: () => ({ ids: [siteContentId] }),
  apply: (doc, event) => {
    const before = doc ?? nothingSaved
    const version = before.version + 1
    return {
      ...before,
      ...changeOf(before, event),
      version,
      updatedAt: event.occurredAt,
      position: event.position,
    }
  },
}

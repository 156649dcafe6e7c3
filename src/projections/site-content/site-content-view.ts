import { siteContentId } from '#application/site-content/site-content.ts'
import { keysOf } from '#domain/field-rules.ts'
import { type SiteContentEvent, siteContentEvents } from '#domain/site-content/events.ts'
import {
  type ContentField,
  contentFields,
  type PaymentField,
  paymentFields,
} from '#domain/site-content/rules.ts'
import type { ProjectedEvent, Projection, ViewDocument } from '../runtime/projection.ts'

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

type Changes<Field extends string> = { readonly [F in Field]?: { readonly to: string } | undefined }

const after = <Field extends string>(
  fields: readonly Field[],
  before: { readonly [F in Field]?: string },
  changes: Changes<Field>,
): { readonly [F in Field]?: string } => {
  const texts: { [F in Field]?: string } = { ...before }
  for (const field of fields) {
    const change = changes[field]
    if (change) texts[field] = change.to
  }
  return texts
}

const changeOf = (
  doc: Pick<SiteContentDoc, 'texts' | 'payment' | 'blogUrl'>,
  event: ProjectedEvent<SiteContentEvent['type']>,
): Partial<SiteContentDoc> => {
  switch (event.type) {
    case 'ContentUpdated':
    case 'SampleContentRemoved':
      return { texts: after(contentFields, doc.texts, event.data.changes) }
    case 'PaymentDetailsChanged':
      return { payment: after(paymentFields, doc.payment, event.data.changes) }
    case 'BlogAddressChanged':
      return { blogUrl: event.data.to }
    case 'AchievementsShown':
    case 'AchievementsHidden':
      return { showAchievements: event.type === 'AchievementsShown' }
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

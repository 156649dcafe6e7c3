import type { Documents } from '#application/kernel/ports/documents.ts'
import { contentFields, type ContentField } from '#domain/site-content/rules.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { siteContentId } from '#application/site-content/site-content.ts'
import { type SiteContentDoc, siteContentProjection } from './site-content-view.ts'

/** The blog's address as it is set, or the default; empty without one. */
export const getBlogUrl = async (
  documents: Documents,
  defaults: { readonly blogUrl: string },
): Promise<string> => {
  const doc = await documents.get<SiteContentDoc>(siteContentProjection.view, siteContentId)
  return doc?.blogUrl ?? defaults.blogUrl
}

/** The address for messages as she saved it; empty without one. */
export const getContactEmail = async (documents: Documents): Promise<string> => {
  const doc = await documents.get<SiteContentDoc>(siteContentProjection.view, siteContentId)
  return doc?.texts.contactEmail ?? ''
}

/**
 * The site's texts and settings as the API answers them: every key, empty text where unset.
 * @param html cleans the rich text once more, so that texts of an older Atelier are as safe as new ones
 * @param defaults what applies until the owner has set it herself (`BLOG_URL`)
 */
export const getSiteContent = async (
  documents: Documents,
  html: Pick<HtmlSanitiser, 'siteText'>,
  defaults: { readonly blogUrl: string },
) => {
  const doc = await documents.get<SiteContentDoc>(siteContentProjection.view, siteContentId)
  const texts = Object.fromEntries(contentFields.map((field) => [field, doc?.texts[field] ?? '']))
  const kind = doc?.payment.upiKind
  const upiKind: 'personal' | 'merchant' | '' = kind === 'personal' || kind === 'merchant' ? kind : ''
  return {
    id: siteContentId,
    // Each field gets its key from the list the type is made of.
    ...(texts as { [Field in ContentField]: string }),
    artistDescription: html.siteText(doc?.texts.artistDescription ?? ''),
    blogUrl: doc?.blogUrl ?? defaults.blogUrl,
    upiId: doc?.payment.upiId ?? '',
    upiPayeeName: doc?.payment.upiPayeeName ?? '',
    upiKind,
    showAchievements: doc?.showAchievements ?? true,
    version: doc?.version ?? 0,
    updatedAt: doc?.updatedAt ?? null,
  }
}

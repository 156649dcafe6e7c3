import { z } from 'zod'
import {
  contentRules,
  paymentRules,
  siteRules,
  upiKindSentence,
  upiKinds,
} from '#domain/site-content/rules.ts'
import { changed, defineCalls } from './call.ts'
import {
  changeBody,
  schemaOfEach,
  id,
  oneOf,
  optionalText,
  timestamp,
  withScheme,
  yesOrNo,
} from './field-schemas.ts'

const upiKind = z.enum(['', ...upiKinds], upiKindSentence)

/** The texts and settings of the site, each of which may be empty. */
const fields = {
  ...schemaOfEach(contentRules, optionalText),
  // One typed without `https://` is taken for what it is.
  blogUrl: optionalText(siteRules.blogUrl, withScheme),
  upiId: optionalText(paymentRules.upiId),
  upiPayeeName: optionalText(paymentRules.upiPayeeName),
  upiKind,
  showAchievements: yesOrNo('Show achievements'),
}

/** The site's texts and settings as every call answers them: every key, empty text where unset. */
export const siteContent = z.strictObject({
  id: id(),
  ...schemaOfEach(siteRules, () => z.string()),
  upiKind,
  /** true until she switches it off */
  showAchievements: z.boolean(),
  version: z.int(),
  /** null until something was saved */
  updatedAt: timestamp().nullable(),
})
export type SiteContent = z.output<typeof siteContent>

/** A change to the site's texts: only the keys that were sent. */
export const siteContentChange = changeBody(oneOf('id', 'createdAt', 'updatedAt', 'version'), fields)

const { 404: _alwaysThere, ...siteContentAnswers } = changed(siteContent)

export const siteContentCalls = defineCalls('site-content', {
  getSiteContent: {
    summary: 'The texts and settings of the site',
    access: 'anyone',
    answers: { 200: siteContent, 304: null },
  },
  changeSiteContent: {
    summary: 'Changes the given texts and settings',
    body: siteContentChange,
    answers: siteContentAnswers,
  },
})

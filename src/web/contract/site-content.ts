import { z } from 'zod'
import { upiKinds } from './artworks.ts'
import { changed, defineCalls } from './call.ts'
import {
  body,
  expectedVersion,
  id,
  ignoringOwnFields,
  oneOf,
  optionalEmail,
  optionalLine,
  optionalLines,
  optionalPattern,
  optionalImage,
  optionalWebAddress,
  partly,
  timestamp,
  yesOrNo,
} from './fields.ts'
import { limits } from './limits.ts'

/** `name@handle`, as payer apps take it. */
const UPI_ID = /^[A-Za-z0-9._-]{2,}@[A-Za-z][A-Za-z0-9.-]*$/

const short = (label: string) => optionalLine(label, limits.shortText)

/** The texts and settings of the site, each of which may be empty. */
const fields = {
  artistName: optionalLine('Artist name', limits.name),
  artistBio: optionalLines('About the artist', limits.longText),
  artistDescription: optionalLines('Hero description', limits.artistDescription),
  profileImageUrl: optionalImage('Profile picture'),
  contactEmail: optionalEmail(),
  contactWhatsapp: short('WhatsApp'),
  contactAddress: optionalLines('Studio address', limits.shortText),
  artistQuote: optionalLines('Main quote', limits.shortText),
  quoteBulletPoint1: short('Bullet point 1'),
  quoteBulletPoint2: short('Bullet point 2'),
  quoteBulletPoint3: short('Bullet point 3'),
  bioParagraph3: optionalLines('Biography paragraph 3', limits.longText),
  bioParagraph4: optionalLines('Biography paragraph 4', limits.longText),
  achievement1Number: short('Achievement 1 number'),
  achievement1Label: short('Achievement 1 label'),
  achievement1Icon: short('Achievement 1 icon'),
  achievement2Number: short('Achievement 2 number'),
  achievement2Label: short('Achievement 2 label'),
  achievement2Icon: short('Achievement 2 icon'),
  achievement3Number: short('Achievement 3 number'),
  achievement3Label: short('Achievement 3 label'),
  achievement3Icon: short('Achievement 3 icon'),
  achievement4Number: short('Achievement 4 number'),
  achievement4Label: short('Achievement 4 label'),
  achievement4Icon: short('Achievement 4 icon'),
  heroTitle: optionalLine('Hero title', limits.title),
  heroSubtitle: short('Hero subtitle'),
  heroPrimaryButtonText: short('Primary button text'),
  heroSecondaryButtonText: short('Secondary button text'),
  blogUrl: optionalWebAddress('Blog address'),
  upiId: optionalPattern('UPI ID', limits.upiId, UPI_ID, 'UPI ID must look like name@bank'),
  upiPayeeName: optionalLine('UPI payee name', limits.upiPayeeName),
  upiKind: z.enum(['', ...upiKinds], 'UPI kind must be personal or merchant'),
  showAchievements: yesOrNo('Show achievements'),
}

/** The site's texts and settings as every call answers them: every key, empty text where unset. */
export const siteContent = z.strictObject({
  id: id(),
  artistName: z.string(),
  artistBio: z.string(),
  artistDescription: z.string(),
  profileImageUrl: z.string(),
  contactEmail: z.string(),
  contactWhatsapp: z.string(),
  contactAddress: z.string(),
  artistQuote: z.string(),
  quoteBulletPoint1: z.string(),
  quoteBulletPoint2: z.string(),
  quoteBulletPoint3: z.string(),
  bioParagraph3: z.string(),
  bioParagraph4: z.string(),
  achievement1Number: z.string(),
  achievement1Label: z.string(),
  achievement1Icon: z.string(),
  achievement2Number: z.string(),
  achievement2Label: z.string(),
  achievement2Icon: z.string(),
  achievement3Number: z.string(),
  achievement3Label: z.string(),
  achievement3Icon: z.string(),
  achievement4Number: z.string(),
  achievement4Label: z.string(),
  achievement4Icon: z.string(),
  heroTitle: z.string(),
  heroSubtitle: z.string(),
  heroPrimaryButtonText: z.string(),
  heroSecondaryButtonText: z.string(),
  blogUrl: z.string(),
  upiId: z.string(),
  upiPayeeName: z.string(),
  upiKind: z.enum(['', ...upiKinds]),
  /** true until she switches it off */
  showAchievements: z.boolean(),
  version: z.int(),
  /** null until something was saved */
  updatedAt: timestamp().nullable(),
})
export type SiteContent = z.output<typeof siteContent>

/** A change to the site's texts: only the keys that were sent. */
export const siteContentChange = ignoringOwnFields(
  oneOf('id', 'createdAt', 'updatedAt', 'version'),
  body({ ...partly(fields), expectedVersion: expectedVersion().exactOptional() }),
)
export type SiteContentChange = z.output<typeof siteContentChange>
export type SiteContentChangeInput = z.input<typeof siteContentChange>

const { 404: _alwaysThere, ...siteContentAnswers } = changed(siteContent)

export const siteContentCalls = defineCalls('site-content', {
  getSiteContent: {
    summary: 'The texts and settings of the site',
    access: 'anyone',
    answers: { 200: siteContent, 304: null },
  },
  changeSiteContent: {
    summary: 'Changes the given texts and settings',
    access: 'owner',
    body: siteContentChange,
    consumes: 'json',
    answers: siteContentAnswers,
  },
})

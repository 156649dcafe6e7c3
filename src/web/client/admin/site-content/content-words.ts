/** Texts of the Content tab: the specification's word for word, and those it leaves open. */
import { imageMegabytes } from '#web/contract/limits.ts'

export const CONTENT_WORDS = {
  title: 'Homepage Content',
  sections: 'Sections of the form',
  placeholders: 'Still a placeholder',
  placeholdersHint: 'Still a placeholder, or missing on your page:',

  artist: 'Artist',
  artistName: 'Artist Name',
  profile: 'Profile Picture',
  uploadFile: 'Upload File',
  imageUrl: 'Image URL',
  profileHint: `Images only, at most ${imageMegabytes} MB.`,
  profilePreview: 'Profile picture',
  clearProfile: 'Clear',
  heroDescription: 'Hero Description',
  about: 'About the Artist',

  hero: 'Hero Section',
  heroRemark: 'The poster at the top of the page',
  heroTitle: 'Hero Title',
  heroTitleHint: 'Empty means the Artist Name is used.',
  heroSubtitle: 'Hero Subtitle',
  primaryButton: 'Primary Button Text',
  secondaryButton: 'Secondary Button Text',

  quote: 'Artist Quote',
  mainQuote: 'Main Quote',
  bullet: (number: number) => `Bullet Point ${number}`,

  biography: 'Biography',
  paragraph: (number: number) => `Biography Paragraph ${number}`,

  achievements: 'Artistic Achievements',
  showAchievements: 'Show achievements',
  showAchievementsHint: 'Off: the four figures are not on the page.',
  achievementsRemark: 'Empty lines show the defaults',
  achievement: (number: number) => `Achievement ${number}`,
  icon: 'Icon',
  number: 'Number',
  label: 'Label',
  on: 'On',
  off: 'Off',
  iconHint: 'An icon is a name such as book, spark, hand, brush, star, heart, award; or any sign.',

  contact: 'Contact Information',
  email: 'Email',
  whatsapp: 'WhatsApp',
  whatsappHint: 'With the country code, e.g. +91 98200 12345.',
  address: 'Studio Address',

  payments: 'Payments',
  paymentsRemark: 'UPI: from these the QR codes of your works are made',
  upiId: 'UPI ID',
  upiIdHint: 'It looks like name@bank. Without it no work shows a QR code.',
  testCode: (upiId: string) => `Payment code for one rupee to ${upiId}`,
  testCodeScan:
    'To try your UPI ID, scan this with your own phone: it pays one rupee to you. Does it arrive?',
  testCodePhone: 'On the phone now? Open the dashboard on another screen to scan it.',
  payeeName: 'Payee Name',
  payeeNameHint: 'As the payer’s app shows it.',
  kind: 'Kind of UPI ID',
  kindUnset: 'Not chosen',
  kindPersonal: 'Personal',
  kindMerchant: 'Merchant',
  kindHint: 'Payment apps open directly for merchant IDs only; for a personal one buyers scan or copy.',

  journal: 'Journal',
  blogUrl: 'Blog Address',
  blogUrlHint:
    'The home page of your blog, e.g. your-name.blogspot.com. Its posts come into the journal by themselves.',

  editorTools: 'Text style',
  bold: 'Bold',
  italic: 'Italic',
  orderedList: 'Ordered list',
  bulletList: 'Bullet list',
  blockquote: 'Blockquote',
  link: 'Link',
  clean: 'Clean',
  linkAddress: 'Link address',
  linkApply: 'Apply',
  linkRemove: 'Remove link',
  linkRefused: 'Use an address that begins with http://, https://, mailto: or tel:',
  imageRefused: 'Pictures cannot be put into this text; add them in the Gallery tab.',
} as const

/** The sections of the Content form in their order, by what their heading's id is made of. */
export const CONTENT_SECTIONS = [
  { id: 'artist', name: CONTENT_WORDS.artist },
  { id: 'hero', name: CONTENT_WORDS.hero },
  { id: 'quote', name: CONTENT_WORDS.quote },
  { id: 'biography', name: CONTENT_WORDS.biography },
  { id: 'achievements', name: CONTENT_WORDS.achievements },
  { id: 'contact', name: CONTENT_WORDS.contact },
  { id: 'payments', name: CONTENT_WORDS.payments },
  { id: 'journal', name: CONTENT_WORDS.journal },
] as const

export type SectionId = (typeof CONTENT_SECTIONS)[number]['id']

/** The id of a section's heading. */
export function headingIdOf(section: SectionId): string {
  return `content-${section}`
}

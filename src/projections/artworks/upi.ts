import { fieldLimits } from '#domain/field-limits.ts'

/** What the owner set to be paid by UPI. */
export interface PayeeSettings {
  /** `name@handle`; empty: no payment by UPI */
  readonly upiId: string
  readonly upiPayeeName: string
  readonly upiKind: string
  /** used where no payee name is set */
  readonly artistName: string
}

/** An artwork that can be bought. `price` is whole rupees. */
export interface PayableArtwork {
  readonly id: string
  readonly title: string
  readonly price: number
}

/** How an artwork is paid, as the API answers it; `amount` is whole rupees. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- part of a document, and JSON, which only a type alias fits
export type UpiPayment = {
  readonly id: string
  readonly payeeName: string
  readonly amount: number
  readonly uri: string
  readonly kind: 'personal' | 'merchant'
}

const longestNote = 50
const longestReference = 35
const unnamedPayee = 'The Artist'

/** A text of one line in at most so many code points, never cutting one apart. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join('').trimEnd()

/** A text without line breaks and whatever else no payer app can show. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()

/** Payer apps take letters, digits, blanks and few signs in a payee's name; symbols are left out. */
const cleanName = (name: string): string =>
  cut(printable(name.toWellFormed().replace(/[^\p{L}\p{M}\p{N}\s.'-]/gu, ' ')), fieldLimits.upiPayeeName)

/** Letters and digits only, so that every app takes it; the same for an artwork at every time. */
const referenceOf = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '').slice(0, longestReference)

/**
 * The payment of an artwork: the text of its QR code, `upi://pay?pa=…&pn=…&am=25000.00&cu=INR&tn=…`, with `tr`
 * for merchants only. Blanks are `%20`; the `@` of the address stays as it is,
 * because payer apps look for it.
 * @returns null without a UPI id
 */
export const upiPayment = (artwork: PayableArtwork, settings: PayeeSettings): UpiPayment | null => {
  if (settings.upiId === '') return null
  const kind = settings.upiKind === 'merchant' ? 'merchant' : 'personal'
  const payeeName = cleanName(settings.upiPayeeName) || cleanName(settings.artistName) || unnamedPayee
  const note = cut(printable(artwork.title), longestNote)
  const parts = [
    `pa=${encodeURIComponent(settings.upiId).replaceAll('%40', '@')}`,
    `pn=${encodeURIComponent(payeeName)}`,
    `am=${artwork.price}.00`,
    'cu=INR',
    `tn=${encodeURIComponent(note)}`,
    ...(kind === 'merchant' ? [`tr=${referenceOf(artwork.id)}`] : []),
  ]
  return { id: settings.upiId, payeeName, amount: artwork.price, uri: `upi://pay?${parts.join('&')}`, kind }
}

/** One rupee to herself, to see that the money arrives. @returns null without a UPI id */
export const testPayment = (settings: PayeeSettings): UpiPayment | null =>
  upiPayment({ id: 'test', title: 'Test', price: 1 }, settings)

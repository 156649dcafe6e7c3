import type { PageArtwork } from '../lib/on-page.ts'

/** UPI may refuse more than this, in rupees. */
export const UPI_CEILING = 1_00_000

export type Device = 'desktop' | 'android' | 'ios'

/** What pressing "Pay with UPI" does: the panel opens always, and some phones can start an app. */
export type PayPlan = {
  /** an address that starts a UPI app at once */
  intent: string | null
  /** apps to choose from where the system offers no choice of its own */
  apps: readonly { name: string; href: string }[]
  /** one sentence that says what to do and why */
  sentence: string
}

/** iOS knows no common UPI address, only one per app. */
const IOS_APPS = [
  { name: 'Google Pay', start: 'gpay://upi/pay' },
  { name: 'PhonePe', start: 'phonepe://pay' },
  { name: 'Paytm', start: 'paytmmp://pay' },
] as const

/** Payer apps refuse intents to personal ids; a desktop scans. */
export function payPlan(upi: PageArtwork['upi'], device: Device): PayPlan {
  const none = { intent: null, apps: [] }
  if (device === 'desktop') return { ...none, sentence: 'Scan the code with your phone.' }
  if (!upi)
    return { ...none, sentence: 'Save the code and open it in your UPI app, or scan it with a second phone.' }
  if (upi.kind === 'personal')
    return {
      ...none,
      sentence:
        'UPI apps do not accept a payment started from this page to a personal ID, so paste the ID and the amount into your app.',
    }
  const sentence = 'If no UPI app opens, paste the ID and the amount into yours.'
  if (device === 'android') return { ...none, intent: upi.uri, sentence }
  const query = upi.uri.replace(/^[^?]*/, '')
  const apps = IOS_APPS.map(({ name, start }) => ({ name, href: `${start}${query}` }))
  return { ...none, apps, sentence }
}

/** A phone is what is touched and cannot hover; iPads call themselves Macs. Only in a browser. */
export function thisDevice(): Device {
  if (!window.matchMedia('(hover: none) and (pointer: coarse)').matches) return 'desktop'
  const apple = /iPhone|iPad|iPod/.test(navigator.userAgent)
  return apple || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1) ? 'ios' : 'android'
}

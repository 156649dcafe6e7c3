import { useSiteContent } from '../lib/queries.ts'
import styles from './test-code.module.css'

/** The payment code of one rupee to the saved UPI id, to be tried with her own phone. Nothing without one. */
export function TestCode() {
  const { data: content } = useSiteContent()
  if (!content?.upiId) return null
  return (
    <figure className={styles.code}>
      {/* Saved anew, it is another image at the same address. */}
      <img
        src={`/qr/test.svg?version=${content.version}`}
        width={144}
        height={144}
        alt={`Payment code for one rupee to ${content.upiId}`}
      />
      <figcaption>
        <p>To try your UPI ID, scan this with your own phone: it pays one rupee to you. Does it arrive?</p>
        <p>On the phone now? Open the dashboard on another screen to scan it.</p>
      </figcaption>
    </figure>
  )
}

import { useSiteContent } from '../lib/queries.ts'
import { CONTENT_WORDS } from './content-words.ts'
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
        alt={CONTENT_WORDS.testCode(content.upiId)}
      />
      <figcaption>
        <p>{CONTENT_WORDS.testCodeScan}</p>
        <p>{CONTENT_WORDS.testCodePhone}</p>
      </figcaption>
    </figure>
  )
}

import { TEXT } from '../lib/constants.ts'

export type AdminAppProps = {
  /** `page` is `/admin` itself, `overlay` lies above the homepage */
  place: 'page' | 'overlay'
  onClose: () => void
}

/** Login dialog or dashboard, whichever the session asks for. */
export default function AdminApp({ onClose }: AdminAppProps) {
  return (
    <main>
      <p role="status">{TEXT.loading}</p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </main>
  )
}

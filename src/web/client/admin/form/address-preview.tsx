import { useState } from 'react'
import { isOwnImage } from '#web/contract/artwork-address.ts'

/** Shows the image at an address while it is typed; of other sites only by https, as the page may load nothing else. */
export function AddressPreview({ address, className }: { address: string; className: string | undefined }) {
  const [failed, setFailed] = useState('')
  if (failed === address || !(isOwnImage(address) || /^https:\/\/\S+\.\S+/.test(address))) return null
  return (
    <div className={className}>
      <img src={address} alt="Preview" onError={() => setFailed(address)} />
    </div>
  )
}

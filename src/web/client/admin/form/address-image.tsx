import { useState } from 'react'

type AddressImageProps = { address: string; className: string | undefined; alt: string }

/**
 * The image at an address, also while that is typed: none where it cannot be had. Of another site it is asked for by https
 * alone, as the page may load nothing else.
 */
export function AddressImage({ address, className, alt }: AddressImageProps) {
  const [failed, setFailed] = useState<string | null>(null)
  if (failed === address || !/^(?:\/(?!\/)|https:\/\/\S+\.)\S/.test(address)) return null
  return (
    <div className={className}>
      <img src={address} alt={alt} onError={() => setFailed(address)} />
    </div>
  )
}

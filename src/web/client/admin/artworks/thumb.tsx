import { useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import * as WORDS from '../../lib/words.ts'
import { imageOf } from '../../lib/images.ts'
import { Formats } from '../../ui/image.tsx'
import styles from './thumb.module.css'

/** No variant wider than this: a card is never larger, also on a dense screen. */
const MOST_PX = 640

type ThumbProps = {
  artwork: Pick<Artwork, 'imageUrl' | 'image'>
  /** as the `sizes` attribute says it */
  sizes: string
}

/** An artwork's image, whole and small. Its title stands beside it, so that it has no alt text of its own. */
export function Thumb({ artwork, sizes }: ThumbProps) {
  const image = imageOf(artwork, MOST_PX)
  const [failed, setFailed] = useState<string | null>(null)
  if (!image || failed === image.src) return <span className={styles.missing}>{WORDS.imageMissing}</span>
  return (
    <Formats sources={image.sources} sizes={sizes}>
      <img
        className={styles.image}
        src={image.src}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        ref={(img) => img?.style.setProperty('--color', artwork.image?.color ?? 'var(--ghost)')}
        onError={() => setFailed(image.src)}
      />
    </Formats>
  )
}

import { type ReactNode, useState } from 'react'
import * as WORDS from '../lib/words.ts'
import { imageOf, type ImageSource } from '../lib/images.ts'
import styles from './image.module.css'
import type { PageArtwork } from '../lib/on-page.ts'

type FormatsProps = { sources: readonly ImageSource[] | undefined; sizes: string; children: ReactNode }

/** Better formats, best first, for the `img` in it. */
export function Formats({ sources, sizes, children }: FormatsProps) {
  return (
    <picture className={styles.sources}>
      {sources?.map((source) => (
        <source key={source.type} {...source} sizes={sizes} />
      ))}
      {children}
    </picture>
  )
}

type ImageProps = {
  artwork: Pick<PageArtwork, 'image' | 'imageUrl' | 'altText'>
  /** how wide it is shown, as the `sizes` attribute says it */
  sizes: string
  /** `first` is loaded before everything else, `eager` at once, `lazy` when it comes near */
  loading?: 'first' | 'eager' | 'lazy'
  /** no variant wider than this is offered, in pixels */
  most?: number | undefined
}

/** An image that could not be fetched before the page was taken over fires no event any more. */
export const failedBefore = (img: HTMLImageElement): boolean =>
  img.complete && img.naturalWidth === 0 && img.src !== ''

/** An artwork's image in the best format and width; it fills the box that the artwork's style gives it. */
export function Image({ artwork, sizes, loading = 'lazy', most }: ImageProps) {
  const image = imageOf(artwork, most)
  const [failed, setFailed] = useState<string | null>(null)
  const alt = artwork.altText
  if (!image || failed === image.src) {
    return (
      <span className={styles.missing} role="img" aria-label={alt}>
        <span aria-hidden="true">{WORDS.imageMissing}</span>
      </span>
    )
  }
  return (
    <Formats sources={image.sources} sizes={sizes}>
      <img
        className={styles.image}
        src={image.src}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
        alt={alt}
        loading={loading === 'lazy' ? 'lazy' : 'eager'}
        fetchPriority={loading === 'first' ? 'high' : undefined}
        decoding={loading === 'first' ? undefined : 'async'}
        onError={() => setFailed(image.src)}
        ref={(img) => {
          if (img && failedBefore(img)) setFailed(image.src)
        }}
      />
    </Formats>
  )
}

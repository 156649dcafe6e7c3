import { createContext, useContext, type ComponentProps } from 'react'
import type { PageData } from '#web/contract/pages.ts'
import { imageOf } from '../lib/images.ts'
import { failedBefore, Formats } from './image.tsx'

const Sizes = createContext<PageData['images']>({})
/** Takes what the page knows of its portrait and its posts' images. */
export const ImageSizesProvider = Sizes.Provider

type SiteImageProps = Pick<ComponentProps<'img'>, 'width' | 'height' | 'alt'> & {
  src: string
  /** how wide it is shown, as the `sizes` attribute says it */
  sizes: string
  /** it cannot be had */
  onFail: () => void
}

/**
 * An image that is no artwork's: in the best format and width when the page knows its size, else as it is. It is fetched
 * when it comes near.
 */
export function SiteImage({ src, sizes, alt, onFail, ...size }: SiteImageProps) {
  const known = useContext(Sizes)[src]
  const image = imageOf({ imageUrl: src, image: known ? { ...known, ready: true } : null })
  return (
    <Formats sources={image?.sources} sizes={sizes}>
      <img
        {...size}
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={onFail}
        ref={(img) => {
          if (img && failedBefore(img)) onFail()
        }}
      />
    </Formats>
  )
}

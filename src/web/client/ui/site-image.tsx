import { createContext, useContext, type ComponentProps } from 'react'
import type { PageData } from '#web/contract/pages.ts'
import { imageOf } from '../lib/images.ts'
import { Formats } from './image.tsx'

const Sizes = createContext<PageData['images']>({})
/** Takes what the page knows of its portrait and its posts' images. */
export const ImageSizesProvider = Sizes.Provider

type SiteImageProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes'> & {
  src: string
  /** how wide it is shown, as the `sizes` attribute says it */
  sizes: string
}

/** An image that is no artwork's: in the best format and width when the page knows its size, else as it is. */
export function SiteImage({ src, sizes, alt, ...rest }: SiteImageProps) {
  const size = useContext(Sizes)[src]
  const image = imageOf({ imageUrl: src, image: size ? { ...size, ready: true } : null })
  return (
    <Formats sources={image?.sources} sizes={sizes}>
      <img {...rest} src={src} alt={alt} />
    </Formats>
  )
}

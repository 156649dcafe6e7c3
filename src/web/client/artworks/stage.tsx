import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { artworkPath, variantWidths } from '#web/contract/artwork-address.ts'
import { ratioOf, artworkClass } from '../lib/artwork-styles.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { Image } from '../ui/image.tsx'
import { Quiet } from '../ui/quiet.tsx'
import type { PageArtwork } from '../lib/on-page.ts'
import { Dots } from './dots.tsx'
import type { PlaceInList } from './place-in-list.ts'
import { ShareButton } from './share-button.tsx'
import styles from './stage.module.css'
import { useTouch } from './touch.ts'
import { useZoom } from './zoom.ts'

type StageProps = {
  artwork: PageArtwork
  place: PlaceInList<PageArtwork> | null
  list: readonly PageArtwork[]
  /** id of the form that the buttons belong to */
  controls: string
  zoomed: boolean
  onZoom: (zoomed: boolean) => void
  onShow: (id: string) => void
  onClose: () => void
}

const SLIDE = 'work-slide'

/** How wide the image is shown: the stage's width, unless its height allows less (stage.module.css). */
function stageSizes(ratio: number): string {
  const within = (width: number, height: number) => `min(${width}vw, ${Math.round(ratio * height)}vh)`
  return [
    `(orientation: landscape) and (max-height: 36rem) ${within(100, 88)}`,
    `(orientation: portrait) and (min-width: 44rem) and (max-width: 80rem) ${within(100, 75)}`,
    `(max-width: 52rem) ${within(90, 44)}`,
    within(64, 86),
  ].join(', ')
}

/** The image with all the room there is, and what leafs, zooms and shares: a carousel by the WAI-ARIA pattern. */
export function Stage({ artwork, place, list, controls, zoomed, onZoom, onShow, onClose }: StageProps) {
  const box = useRef<HTMLDivElement>(null)
  const zoomButton = useRef<HTMLButtonElement>(null)
  const natural = artwork.image ? (variantWidths(artwork.image).at(-1) ?? 0) : 0
  const zoom = useZoom({ box, zoomed, natural, onZoom, zoomButton })
  useTouch(box, {
    zoomed,
    onSwipe: (forward) => place && onShow((forward ? place.next : place.previous).id),
    pinch: zoom.pinch,
  })
  const name = place ? `${place.index + 1} of ${place.total}: ${artwork.title}` : artwork.title

  /** Any empty area around the image is backdrop. */
  const onBackdrop = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.hasAttribute('data-backdrop') && !zoomed) onClose()
  }
  const sideButton = (to: PageArtwork, side: string | undefined, label: string, icon: ReactNode) => (
    <Button
      only
      className={classNames(styles.side, side)}
      type="submit"
      form={controls}
      formAction={artworkPath(to)}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault()
        onShow(to.id)
      }}
    >
      {icon}
    </Button>
  )

  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- Escape and the close button are the keyboard's way; no tag means carousel
    <div
      className={styles.stage}
      role="group"
      aria-roledescription="carousel"
      aria-label="Works"
      data-backdrop
      onClick={onBackdrop}
    >
      {/* eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- no tag means slide */}
      <div
        id={SLIDE}
        className={styles.slide}
        role="group"
        aria-roledescription="slide"
        aria-label={name}
        data-backdrop
      >
        <div
          ref={box}
          className={classNames(styles.box, artworkClass(artwork.id))}
          data-zoomed={zoomed || undefined}
          data-backdrop
          {...(zoomed
            ? {
                tabIndex: 0,
                role: 'region',
                'aria-label':
                  'Enlarged picture: drag it or scroll with the arrow keys to see the rest; + and − change its size',
              }
            : {})}
        >
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the Zoom button is the keyboard's way */}
          <div key={artwork.id} className={styles.frame} data-frame onClick={zoom.onImageClick}>
            <Image
              artwork={artwork}
              loading="first"
              sizes={zoomed && natural ? `${natural}px` : stageSizes(ratioOf(artwork.image))}
            />
          </div>
        </div>
      </div>
      {place && (
        <>
          {sideButton(place.previous, styles.previous, 'Previous work', <ArtworkIcon name="previous" />)}
          {sideButton(place.next, styles.next, 'Next work', <Icon name="next" />)}
        </>
      )}
      <div className={styles.strip} data-backdrop>
        <span data-backdrop>{place && `${place.index + 1} of ${place.total}`}</span>
        <Dots list={list} place={place} controls={controls} slide={SLIDE} onShow={onShow} />
        <div className={styles.tools} data-backdrop>
          <ShareButton title={artwork.title} path={artworkPath(artwork)} />
          <Button
            ref={zoomButton}
            look="plain"
            type="submit"
            form={controls}
            // Without a script the largest JPEG is shown.
            formAction={artwork.imageUrl}
            aria-pressed={zoomed}
            onClick={zoom.onButtonClick}
          >
            <ArtworkIcon name={zoomed ? 'zoomOut' : 'zoomIn'} />
            <span>{zoomed ? 'Fit to screen' : 'Zoom'}</span>
          </Button>
        </div>
      </div>
      <Quiet>
        <span aria-live="polite">{useAnnounced(name)}</span>
      </Quiet>
      <Neighbours place={place} />
    </div>
  )
}

/** Says a new slide's name, but not the first one's: the dialog's title does. */
function useAnnounced(name: string): string {
  const [first] = useState(name)
  const [moved, setMoved] = useState(false)
  if (name !== first && !moved) setMoved(true)
  return moved ? name : ''
}

/** Fetches the images before and after, once the page has come to rest, so that leafing shows them at once. */
function Neighbours({ place }: { place: PlaceInList<PageArtwork> | null }) {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const wait = setTimeout(() => setRested(true), 600)
    return () => clearTimeout(wait)
  }, [])
  if (!rested || !place) return null
  const artworks = place.next.id === place.previous.id ? [place.next] : [place.next, place.previous]
  return (
    <div hidden>
      {artworks.map((artwork) => (
        <Image
          key={artwork.id}
          artwork={artwork}
          loading="eager"
          sizes={stageSizes(ratioOf(artwork.image))}
        />
      ))}
    </div>
  )
}

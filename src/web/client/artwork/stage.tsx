import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { OVERLAY_WORDS } from '../lib/constants.ts'
import { artworkPath } from '../lib/page-data.ts'
import { largestOf, widthsOf } from '../lib/pictures.ts'
import { ratioOf, workClass } from '../lib/work-styles.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Picture } from '../ui/picture.tsx'
import { Quiet } from '../ui/quiet.tsx'
import type { TileWork } from '../ui/work.ts'
import { Dots } from './dots.tsx'
import type { Place } from './place-in-list.ts'
import { ShareButton } from './share-button.tsx'
import styles from './stage.module.css'
import { useTouch } from './touch.ts'
import { useZoom } from './zoom.ts'

type StageProps = {
  work: TileWork
  place: Place<TileWork> | null
  list: readonly TileWork[]
  /** id of the form that the buttons belong to */
  controls: string
  zoomed: boolean
  onZoom: (zoomed: boolean) => void
  onShow: (id: string) => void
  onClose: () => void
}

const SLIDE = 'work-slide'

/** How wide the picture is shown: the stage's width, unless its height allows less. */
function stageSizes(ratio: number): string {
  const phone = `min(90vw, ${Math.round(ratio * 44)}vh)`
  return `(max-width: 52rem) ${phone}, min(64vw, ${Math.round(ratio * 86)}vh)`
}

/** The picture with all the room there is, and what leafs, zooms and shares: a carousel by the WAI-ARIA pattern. */
export function Stage({ work, place, list, controls, zoomed, onZoom, onShow, onClose }: StageProps) {
  const box = useRef<HTMLDivElement>(null)
  const zoomButton = useRef<HTMLButtonElement>(null)
  const natural = work.image ? (widthsOf(work.image).at(-1) ?? 0) : 0
  const zoom = useZoom({ box, zoomed, natural, onZoom, zoomButton })
  useTouch(box, {
    zoomed,
    onSwipe: (forward) => place && onShow((forward ? place.next : place.previous).id),
    pinch: zoom.pinch,
  })
  const name = place ? `${place.index + 1} of ${place.total}: ${work.title}` : work.title

  /** Any empty area around the picture is backdrop (decisions 83). */
  const onBackdrop = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.hasAttribute('data-backdrop') && !zoomed) onClose()
  }
  const leaf = (neighbour: TileWork) => (event: MouseEvent) => {
    event.preventDefault()
    onShow(neighbour.id)
  }

  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- Escape and the close button are the keyboard's way; no tag means carousel
    <div
      className={styles.stage}
      role="group"
      aria-roledescription="carousel"
      aria-label={OVERLAY_WORDS.carousel}
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
          className={classNames(styles.box, workClass(work.id))}
          data-zoomed={zoomed || undefined}
          data-backdrop
          {...(zoomed ? { tabIndex: 0, role: 'region', 'aria-label': OVERLAY_WORDS.zoomed } : {})}
        >
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the Zoom button is the keyboard's way */}
          <div key={work.id} className={styles.frame} data-frame onClick={zoom.onPictureClick}>
            <Picture
              work={work}
              loading="first"
              sizes={zoomed && natural ? `${natural}px` : stageSizes(ratioOf(work.image))}
            />
          </div>
        </div>
      </div>
      {place && (
        <>
          <Button
            only
            className={classNames(styles.side, styles.previous)}
            type="submit"
            form={controls}
            formAction={artworkPath(place.previous)}
            aria-label={OVERLAY_WORDS.previous}
            onClick={leaf(place.previous)}
          >
            <Icon name="previous" />
          </Button>
          <Button
            only
            className={classNames(styles.side, styles.next)}
            type="submit"
            form={controls}
            formAction={artworkPath(place.next)}
            aria-label={OVERLAY_WORDS.next}
            onClick={leaf(place.next)}
          >
            <Icon name="next" />
          </Button>
        </>
      )}
      <div className={styles.strip} data-backdrop>
        <span data-backdrop>{place && `${place.index + 1} of ${place.total}`}</span>
        <Dots list={list} place={place} controls={controls} slide={SLIDE} onShow={onShow} />
        <div className={styles.tools} data-backdrop>
          <ShareButton title={work.title} path={artworkPath(work)} />
          <Button
            ref={zoomButton}
            look="plain"
            type="submit"
            form={controls}
            formAction={largestOf(work)}
            aria-pressed={zoomed}
            onClick={zoom.onButtonClick}
          >
            <Icon name={zoomed ? 'zoomOut' : 'zoomIn'} />
            <span>{zoomed ? OVERLAY_WORDS.zoomOut : OVERLAY_WORDS.zoomIn}</span>
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
  useEffect(() => {
    if (name !== first) setMoved(true)
  }, [name, first])
  return moved ? name : ''
}

/** Fetches the pictures before and after, once the page has come to rest, so that leafing shows them at once. */
function Neighbours({ place }: { place: Place<TileWork> | null }) {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const wait = setTimeout(() => setRested(true), 600)
    return () => clearTimeout(wait)
  }, [])
  if (!rested || !place) return null
  const works = place.next.id === place.previous.id ? [place.next] : [place.next, place.previous]
  return (
    <div hidden>
      {works.map((work) => (
        <Picture key={work.id} work={work} loading="eager" sizes={stageSizes(ratioOf(work.image))} />
      ))}
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import { artworkPath } from '#web/contract/artwork-address.ts'
import { artworkClass } from '../lib/artwork-styles.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { PageArtwork } from '../lib/on-page.ts'
import { useOnce } from '../lib/use-once.ts'
import * as WORDS from '../lib/words.ts'
import styles from './overlay.module.css'
import { placeInList } from './place-in-list.ts'
import { Stage } from './stage.tsx'
import { useHydrated } from '../lib/hydrated.ts'
import { useDialogManners } from './dialog-manners.ts'
import { ArtworkLabel, type ArtworkLabelProps } from './artwork-label.tsx'

type ArtworkOverlayProps = Omit<ArtworkLabelProps, 'address' | 'headingId' | 'heading' | 'onEnquire'> & {
  /** the artworks that the visitor leafs through, in order */
  list: readonly PageArtwork[]
  /** the list whose tile takes the focus when the overlay closes */
  openedFrom: 'gallery' | 'featured'
  onShow: (id: string) => void
  onClose: () => void
  /** closes the overlay and begins a message about the artwork */
  onEnquire: (id: string) => void
}

const HEADING = 'work-title'
/** Every button of the overlay belongs to this form, so that all of them lead somewhere without a script. */
const CONTROLS = 'work-controls'

/**
 * An artwork on a wall of its own: a dialog with a carousel inside. The server sends this very markup; in the browser
 * it takes the focus, keeps it, and gives it back to the tile of the artwork shown last.
 */
export function ArtworkOverlay(props: ArtworkOverlayProps) {
  const { artwork, artist, description, loaded, list, contact, openedFrom, onShow, onClose, onEnquire } =
    props
  const root = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [zoomed, setZoomed] = useState(false)
  const place = placeInList(list, artwork.id)
  const once = useOnce()
  const leave = (): void => once(onClose)
  const stepBack = (): void => (zoomed ? setZoomed(false) : leave())

  const isModal = useHydrated()
  useDialogManners({
    root,
    heading,
    shown: artwork.id,
    onEscape: stepBack,
    onPrevious: place && !zoomed ? () => onShow(place.previous.id) : null,
    onNext: place && !zoomed ? () => onShow(place.next.id) : null,
  })

  // On leaving, the tile of the artwork last shown takes the focus; a message about it takes it instead.
  const last = useRef({ id: artwork.id, list: openedFrom, asks: false })
  useEffect(() => {
    last.current.id = artwork.id
    // Where it was opened from is known a moment after taking over, and forgotten a moment before closing.
    if (openedFrom === 'featured') last.current.list = openedFrom
  }, [artwork.id, openedFrom])
  useEffect(
    () => () => {
      if (!last.current.asks) focusTile(last.current.list, last.current.id)
    },
    [],
  )

  return (
    <dialog
      open
      ref={root}
      className={styles.overlay}
      aria-modal={isModal || undefined}
      aria-labelledby={HEADING}
      data-overlay
      data-zoomed={zoomed || undefined}
      // Android's Back, and whatever else asks a dialog to close.
      onCancel={(event) => {
        event.preventDefault()
        stepBack()
      }}
      // Chrome closes a dialog that was asked twice without asking it again.
      onClose={leave}
    >
      <form id={CONTROLS} hidden />
      <Button
        look="plain"
        only
        className={styles.close}
        type="submit"
        form={CONTROLS}
        formAction="/"
        aria-label={WORDS.close}
        onClick={(event) => {
          event.preventDefault()
          leave()
        }}
      >
        <Icon name="close" />
      </Button>
      <div className={classNames(styles.wall, artworkClass(artwork.id))}>
        <Stage
          artwork={artwork}
          place={place}
          list={list}
          controls={CONTROLS}
          zoomed={zoomed}
          onZoom={setZoomed}
          onShow={onShow}
          onClose={leave}
        />
        <ArtworkLabel
          artist={artist}
          key={artwork.id}
          artwork={artwork}
          description={description}
          loaded={loaded}
          contact={contact}
          address={isModal ? new URL(artworkPath(artwork), window.location.href).href : null}
          headingId={HEADING}
          heading={heading}
          onEnquire={() =>
            once(() => {
              last.current.asks = true
              onEnquire(artwork.id)
            })
          }
        />
      </div>
      <noscript>
        <a className={styles.home} href="/">
          Back to all works
        </a>
      </noscript>
    </dialog>
  )
}

/**
 * Puts the focus on an artwork's tile: on the one in the list it was opened from, else on any; on the
 * gallery's heading when the artwork has no tile any more.
 */
function focusTile(list: 'gallery' | 'featured', id: string): void {
  const link = `a[href$="-${CSS.escape(id)}"]`
  const tile =
    document.querySelector<HTMLElement>(`[data-list="${list}"] ${link}`) ??
    document.querySelector<HTMLElement>(`[data-list] ${link}`)
  tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const place = tile ?? document.getElementById('gallery-heading')
  place?.focus({ preventScroll: true })
}

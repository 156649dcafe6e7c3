import { memo, useCallback } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { isOnShow, rupees } from '#web/contract/details.ts'
import { artworkPath, imageHashIn } from '#web/contract/artwork-address.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, StateText } from '../../ui/state-text.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink, MenuSwitch } from '../../ui/menu.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import { MoveButtons } from '../arrange/move-buttons.tsx'
import type { MoveTo } from '../arrange/moves.ts'
import { ARTWORK_WORDS, SALE_STATUS_OPTIONS, CARD_STATE_WORDS, cardStateOf } from './artworks-words.ts'
import { Thumb } from './thumb.tsx'
import bar from '../form/progress.module.css'
import styles from './card.module.css'
import { useJobs } from '../lib/queries.ts'

/** What is changed on a card itself. */
export type CardChange = Partial<Pick<Artwork, 'isAvailable' | 'isVisible' | 'saleStatus' | 'isFeatured'>>

/** What can be done with an artwork. The same object for all cards, so that an unchanged card is not drawn again. */
export type CardActions = {
  edit: (id: string) => void
  change: (artwork: Artwork, change: CardChange) => void
  askDelete: (id: string) => void
  addLike: (artwork: Artwork) => void
  /** what happened to the artwork, and who did it */
  showHistory: (artwork: Artwork) => void
  move: (artwork: Artwork, to: MoveTo) => void
}

type CardProps = {
  artwork: Artwork
  actions: CardActions
  arranging: boolean
  /** it is featured, and not among the three that the site shows */
  isBeyondThree: boolean
  /** place among the artworks shown, from 1, and how many there are */
  place: number
  of: number
  /** null unless the artwork's image is still being prepared */
  preparing: Preparing | null
  /** where a dragged artwork would be put if it were let go here */
  drop: 'before' | 'after' | null
  dragged: boolean
}

/** One artwork: image, label, state, and every action on the card itself. */
export const ArtworkCard = memo(function ArtworkCard({
  artwork,
  actions,
  arranging,
  isBeyondThree,
  place,
  of,
  preparing,
  drop,
  dragged,
}: CardProps) {
  const { id, title, category, medium, price } = artwork
  const change = (to: CardChange) => () => actions.change(artwork, to)
  const act = (action: string, icon: AdminIconName, word: string, onClick: () => void) => (
    <Button look="plain" data-action={action} aria-label={`${word} ${title}`} onClick={onClick}>
      <AdminIcon name={icon} />
      {word}
    </Button>
  )
  return (
    <article
      className={classNames(styles.card, (!artwork.isAvailable || !artwork.isVisible) && styles.off)}
      data-movable={id}
      data-drop={drop ?? undefined}
      data-dragged={dragged || undefined}
      data-arranging={arranging || undefined}
    >
      <div className={styles.well} data-drag={arranging ? id : undefined}>
        <Thumb artwork={artwork} sizes="(width < 40rem) 6rem, 16rem" />
        <CardImage artwork={artwork} preparing={preparing} />
        {arranging && (
          <span className={styles.grip}>
            <AdminIcon name="grip" />
          </span>
        )}
      </div>
      <div className={styles.facts}>
        <h3 title={title}>{title}</h3>
        <CardMenu artwork={artwork} actions={actions} />
        <p>{[category, medium].filter(Boolean).join(' · ') || '–'}</p>
        <span className={styles.price}>
          {rupees(price)}
          {price === 0 && <small>Price on request on the site</small>}
        </span>
        <States artwork={artwork} />
        {isBeyondThree && <p className={styles.beyond}>Not among the three on the site</p>}
      </div>
      {arranging ? (
        <div className={styles.actions}>
          <MoveButtons name={title} place={place} of={of} onMove={(to) => actions.move(artwork, to)} />
          <span className={styles.place}>{place}</span>
        </div>
      ) : (
        <div className={styles.actions}>
          {act('edit', 'edit', ADMIN_WORDS.edit, () => actions.edit(id))}
          {!artwork.isVisible
            ? act('publish', 'upload', 'Publish', change({ isVisible: true }))
            : artwork.isAvailable
              ? act('visibility', 'eye', 'Hide', change({ isAvailable: false }))
              : act('visibility', 'eyeOff', 'Show', change({ isAvailable: true }))}
          <Button
            look="danger"
            only
            className={styles.deleteButton}
            data-action="delete"
            aria-label={`Delete ${title}`}
            onClick={() => actions.askDelete(id)}
          >
            <AdminIcon name="bin" />
          </Button>
        </div>
      )}
    </article>
  )
})

/** What is not on offer has no dot. */
const DOTS = {
  hidden: null,
  sold: 'sold',
  reserved: 'reserved',
  not_for_sale: null,
  available: 'on',
} as const

/** Whether it is featured, and its one state. */
function States({ artwork }: { artwork: Artwork }) {
  const state = cardStateOf(artwork)
  return (
    <span className={styles.states}>
      {artwork.isFeatured && <Badge>{ARTWORK_WORDS.featured}</Badge>}
      <span data-state={state}>
        {state === 'unpublished' ? (
          <Badge>{CARD_STATE_WORDS[state]}</Badge>
        ) : (
          <StateText text={CARD_STATE_WORDS[state]} dot={DOTS[state]} />
        )}
      </span>
    </span>
  )
}

const PREPARING = 'Preparing the picture...'

/** What is still happening to the image, or that it is not ours. */
function CardImage({ artwork, preparing }: { artwork: Artwork; preparing: Preparing | null }) {
  if (artwork.imageSource === 'link') return <span className={styles.note}>Shown from another site</span>
  if (artwork.imageSource === 'copying') return <span className={styles.note}>Fetching the picture...</span>
  if (!preparing) return null
  const { part, failed } = preparing
  if (failed !== null) {
    return (
      <span className={styles.note} title={failed}>
        The picture could not be prepared
      </span>
    )
  }
  return (
    <span className={styles.note}>
      {PREPARING}
      {part !== null && (
        <progress
          className={bar.progress}
          max={1}
          value={part}
          aria-label={`${PREPARING} ${artwork.title}`}
        />
      )}
    </span>
  )
}

function CardMenu({ artwork, actions }: { artwork: Artwork; actions: CardActions }) {
  return (
    <Menu
      trigger={
        <Button
          look="plain"
          only
          className={styles.more}
          data-action="more"
          aria-label={`More: ${artwork.title}`}
        >
          <AdminIcon name="more" />
        </Button>
      }
    >
      <MenuChoice
        label={ARTWORK_WORDS.saleStatus}
        value={artwork.saleStatus}
        options={SALE_STATUS_OPTIONS}
        onChange={(saleStatus) => actions.change(artwork, { saleStatus })}
      />
      <MenuLine />
      <MenuSwitch
        checked={artwork.isFeatured}
        onChange={(isFeatured) => actions.change(artwork, { isFeatured })}
      >
        {ARTWORK_WORDS.featured}
      </MenuSwitch>
      <MenuLine />
      <MenuItem onSelect={() => actions.showHistory(artwork)}>What happened to it</MenuItem>
      <MenuItem onSelect={() => actions.addLike(artwork)}>Add another like this</MenuItem>
      {isOnShow(artwork) && <MenuLink href={artworkPath(artwork)}>Open on the site</MenuLink>}
    </Menu>
  )
}

const isPreparing = ({ image }: Artwork): boolean => image !== null && !image.ready

export type Preparing = {
  /** 0 to 1; null while nothing is known */
  part: number | null
  /** why it was given up, in the server's words */
  failed: string | null
}

/**
 * How far the images are prepared that are not ready yet; null for the others. The list of jobs is fetched
 * only while there are such images; the server says when it has changed.
 */
export function usePreparing(artworks: readonly Artwork[]): (artwork: Artwork) => Preparing | null {
  const { data } = useJobs(artworks.some(isPreparing))
  return useCallback(
    (artwork) => {
      if (!isPreparing(artwork)) return null
      const hash = imageHashIn(artwork.imageUrl)
      const job = data?.items.find(({ subjectId, state }) => subjectId === hash && state !== 'done')
      return {
        part: job && job.total > 0 ? job.done / job.total : null,
        failed: job?.state === 'parked' ? job.reason : null,
      }
    },
    [data],
  )
}

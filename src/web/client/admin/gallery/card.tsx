import { memo } from 'react'
import type { Artwork, SaleStatus } from '#web/contract/artworks.ts'
import { saleStatuses } from './sale-statuses.ts'
import { formatRupees } from '../../lib/money.ts'
import { artworkPath } from '../../lib/page-data.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Mark } from '../../ui/mark.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink, MenuSwitch } from '../../ui/menu.tsx'
import { classNames } from '../../ui/class-names.ts'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import { GALLERY_WORDS, SALE_STATUS_WORDS } from './gallery-words.ts'
import type { MoveTo } from './moves.ts'
import { Thumb } from './thumb.tsx'
import type { Preparing } from './use-preparing.ts'
import styles from './card.module.css'

/** What can be done with a work. The same object for all cards, so that an unchanged card is not drawn again. */
export type CardActions = {
  edit: (id: string) => void
  toggleAvailable: (work: Artwork) => void
  askDelete: (id: string) => void
  setSaleStatus: (work: Artwork, saleStatus: SaleStatus) => void
  setFeatured: (work: Artwork, isFeatured: boolean) => void
  addLike: (work: Artwork) => void
  /** what happened to the work, and who did it */
  showHistory: (work: Artwork) => void
  move: (work: Artwork, to: MoveTo) => void
}

type CardProps = {
  work: Artwork
  actions: CardActions
  arranging: boolean
  /** place among the works shown, from 1, and how many there are */
  place: number
  of: number
  /** null unless the work's picture is still being prepared */
  preparing: Preparing | null
  /** where a dragged work would be put if it were let go here */
  drop: 'before' | 'after' | null
  dragged: boolean
}

const STATUS_OPTIONS = saleStatuses.map((value) => ({ value, label: SALE_STATUS_WORDS[value] }))

const MOVES: readonly { to: MoveTo; label: string; icon: AdminIconName }[] = [
  { to: 'first', label: GALLERY_WORDS.moveFirst, icon: 'first' },
  { to: 'up', label: GALLERY_WORDS.moveUp, icon: 'up' },
  { to: 'down', label: GALLERY_WORDS.moveDown, icon: 'down' },
  { to: 'last', label: GALLERY_WORDS.moveLast, icon: 'last' },
]

/** One work: picture, label, state, and every action on the card itself (decisions 91). */
export const Card = memo(function WorkCard({
  work,
  actions,
  arranging,
  place,
  of,
  preparing,
  drop,
  dragged,
}: CardProps) {
  const { id, title, category, medium, price } = work
  return (
    <article
      className={classNames(styles.card, (!work.isAvailable || !work.isVisible) && styles.off)}
      data-work={id}
      data-drop={drop ?? undefined}
      data-dragged={dragged || undefined}
      data-arranging={arranging || undefined}
    >
      <div className={styles.well} data-drag={arranging ? id : undefined}>
        <Thumb work={work} sizes="(width < 40rem) 6rem, 16rem" />
        <PictureState work={work} preparing={preparing} />
        {arranging && (
          <span className={styles.grip}>
            <AdminIcon name="grip" />
          </span>
        )}
      </div>
      <div className={styles.facts}>
        <h3 title={title}>{title}</h3>
        <CardMenu work={work} actions={actions} />
        <p>{[category, medium].filter(Boolean).join(' · ') || '–'}</p>
        <span className={styles.price}>
          {formatRupees(price)}
          {price === 0 && <small>{GALLERY_WORDS.onRequest}</small>}
        </span>
        <Marks work={work} />
      </div>
      {arranging ? (
        <div className={styles.actions}>
          {MOVES.map(({ to, label, icon }) => (
            <Button
              key={to}
              look="plain"
              only
              data-action={`move-${to}`}
              aria-label={`${label}: ${title}`}
              aria-disabled={isAtEnd(to, place, of) || undefined}
              onClick={() => !isAtEnd(to, place, of) && actions.move(work, to)}
            >
              <AdminIcon name={icon} />
            </Button>
          ))}
          <span className={styles.place}>{place}</span>
        </div>
      ) : (
        <div className={styles.actions}>
          <Button
            look="plain"
            data-action="edit"
            aria-label={`${GALLERY_WORDS.edit} ${title}`}
            onClick={() => actions.edit(id)}
          >
            <AdminIcon name="edit" />
            {GALLERY_WORDS.edit}
          </Button>
          <Button
            look="plain"
            data-action="visibility"
            aria-label={`${work.isAvailable ? GALLERY_WORDS.hide : GALLERY_WORDS.show} ${title}`}
            onClick={() => actions.toggleAvailable(work)}
          >
            <AdminIcon name={work.isAvailable ? 'eye' : 'eyeOff'} />
            {work.isAvailable ? GALLERY_WORDS.hide : GALLERY_WORDS.show}
          </Button>
          <Button
            look="danger"
            only
            className={styles.delete}
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

function isAtEnd(to: MoveTo, place: number, of: number): boolean {
  return to === 'first' || to === 'up' ? place === 1 : place === of
}

function Marks({ work }: { work: Artwork }) {
  const { saleStatus } = work
  return (
    <span className={styles.marks}>
      {saleStatus !== 'for_sale' && (
        <Mark text={SALE_STATUS_WORDS[saleStatus]} dot={saleStatus === 'not_for_sale' ? null : saleStatus} />
      )}
      {!work.isVisible && <Badge>{GALLERY_WORDS.notOnWebsite}</Badge>}
      {work.isFeatured && <Badge>{GALLERY_WORDS.featured}</Badge>}
      {work.isAvailable ? (
        <Mark text={GALLERY_WORDS.available} dot="on" />
      ) : (
        <Mark text={GALLERY_WORDS.hidden} dot={null} />
      )}
    </span>
  )
}

/** What is still happening to the picture, or that it is not ours (decisions 14). */
function PictureState({ work, preparing }: { work: Artwork; preparing: Preparing | null }) {
  if (work.imageSource === 'link') return <span className={styles.note}>{GALLERY_WORDS.fromAnotherSite}</span>
  if (work.imageSource === 'copying') return <span className={styles.note}>{GALLERY_WORDS.copying}</span>
  if (!preparing) return null
  const { part, failed } = preparing
  if (failed !== null) {
    return (
      <span className={styles.note} title={failed}>
        {GALLERY_WORDS.pictureFailed}
      </span>
    )
  }
  return (
    <span className={styles.note}>
      {GALLERY_WORDS.processing}
      {part !== null && (
        <progress max={1} value={part} aria-label={`${GALLERY_WORDS.processing} ${work.title}`} />
      )}
    </span>
  )
}

function CardMenu({ work, actions }: { work: Artwork; actions: CardActions }) {
  return (
    <Menu
      trigger={
        <Button
          look="plain"
          only
          className={styles.more}
          data-action="more"
          aria-label={`${GALLERY_WORDS.more}: ${work.title}`}
        >
          <AdminIcon name="more" />
        </Button>
      }
    >
      <MenuChoice
        label={GALLERY_WORDS.saleStatus}
        value={work.saleStatus}
        options={STATUS_OPTIONS}
        onChange={(saleStatus) => actions.setSaleStatus(work, saleStatus)}
      />
      <MenuLine />
      <MenuSwitch checked={work.isFeatured} onChange={(isFeatured) => actions.setFeatured(work, isFeatured)}>
        {GALLERY_WORDS.featured}
      </MenuSwitch>
      <MenuLine />
      <MenuItem onSelect={() => actions.showHistory(work)}>{GALLERY_WORDS.history}</MenuItem>
      <MenuItem onSelect={() => actions.addLike(work)}>{GALLERY_WORDS.addLikeThis}</MenuItem>
      {work.isVisible && work.isAvailable && (
        <MenuLink href={artworkPath(work)}>{GALLERY_WORDS.openOnSite}</MenuLink>
      )}
    </Menu>
  )
}

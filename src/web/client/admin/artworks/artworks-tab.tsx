import { startTransition, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { listArtworks, moveArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { ADMIN_WORDS, TOASTS } from '../admin-constants.ts'
import { type MoveBefore, targetOf, useMoves } from '../arrange/moves.ts'
import { buttonOf } from '../arrange/use-kept-focus.ts'
import { Banner } from '../form/banner.tsx'
import { PanelHead, TabDraft } from '../form/panel.tsx'
import { TabDrafts } from '../form/tab-drafts.tsx'
import { EmptyState, ListState } from '../form/list-state.tsx'
import { keyOf } from '../lib/stale.ts'
import { useArtworks } from '../lib/queries.ts'
import { dropDraft, type FoundDraft } from '../lib/drafts.ts'
import { useLatest } from '../lib/use-latest.ts'
import { useFocusWhenGone } from '../lib/screen.ts'
import { useDashboardParts } from '../lib/dashboard-parts.ts'
import { AddDialog, EditDialog } from './artwork-dialogs.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import { type CardActions, usePreparing } from './card.tsx'
import { Cards } from './cards.tsx'
import { type Arrived, useArrived } from './arrived.ts'
import { DeletedDialog } from './deleted-dialog.tsx'
import { ArtworksHead } from './artworks-head.tsx'
import { ARTWORK_WORDS } from './artworks-words.ts'
import { useCardChange, useDeletion, usePublish } from './use-artwork-changes.ts'
import { useFileDrop } from '../form/image-drop.tsx'
import { ARTWORK_DRAFTS } from './use-artwork-form.ts'
import { isFiltering, NO_FILTER, artworksFitting } from './artwork-filter.ts'
import styles from './artworks-tab.module.css'

/** The Gallery tab: the artworks. */
export function ArtworksTab() {
  const query = useArtworks()
  if (query.data === undefined) {
    return (
      <>
        <PanelHead title={ARTWORK_WORDS.title} />
        <ListState query={query}>{() => null}</ListState>
      </>
    )
  }
  return <ArtworksPanel artworks={query.data} />
}

type Open =
  | { part: 'add'; like: Artwork | null; file: File | null; restoring: boolean }
  | { part: 'edit'; artwork: Artwork; restoring: boolean }
  | { part: 'several'; files: readonly File[]; arrived: FoundDraft<Arrived> | null }
  | { part: 'deleted' }

const NEW_ARTWORK = { part: 'add', like: null, file: null, restoring: false } as const

type Acting = {
  artworks: readonly Artwork[]
  shown: readonly Artwork[]
  moveBefore: MoveBefore
  onOpen: (open: Open) => void
  onDelete: (artwork: Artwork | null) => void
}

/** What the buttons of a card do: the same for as long as the tab stands, so that no card is drawn anew for them. */
function useCardActions(acting: Acting): CardActions {
  const change = useCardChange()
  const { openActivity } = useDashboardParts()
  const latest = useLatest(acting)
  return useMemo<CardActions>(
    () => ({
      change,
      edit: (id) => {
        const artwork = latest.current.artworks.find((each) => each.id === id)
        // The form is large: the press is answered first.
        if (artwork) startTransition(() => latest.current.onOpen({ part: 'edit', artwork, restoring: false }))
      },
      askDelete: (id) =>
        latest.current.onDelete(latest.current.artworks.find((each) => each.id === id) ?? null),
      addLike: (artwork) => latest.current.onOpen({ ...NEW_ARTWORK, like: artwork }),
      showHistory: openActivity,
      move: ({ id }, to) => {
        const { artworks, shown, moveBefore } = latest.current
        moveBefore(id, targetOf(artworks, shown, id, to))
      },
    }),
    [change, openActivity, latest],
  )
}

function ArtworksPanel({ artworks }: { artworks: readonly Artwork[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const [deleting, setDeleting] = useState<Artwork | null>(null)
  const [filter, setFilter] = useState(NO_FILTER)
  const [arranging, setArranging] = useState(false)
  const wanted = useDeferredValue(filter)
  const shown = useMemo(() => artworksFitting(artworks, wanted), [artworks, wanted])
  const { moveBefore, announcement } = useMoves({
    items: artworks,
    move: moveArtwork,
    queryKey: keyOf(listArtworks, {}),
    nameOf: ({ title }) => title,
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
  })
  const { wish, settle } = useDashboardParts()
  useEffect(() => {
    if (wish?.kind !== 'add-work') return
    // oxlint-disable-next-line react/set-state-in-effect -- it may have been wished before this tab was there
    setOpen(NEW_ARTWORK)
    settle()
  }, [wish, settle])
  const preparingOf = usePreparing(artworks)
  const close = useCallback(() => setOpen(null), [])
  const actions = useCardActions({ artworks, shown, moveBefore, onOpen: setOpen, onDelete: setDeleting })
  const { isOver, handlers } = useFileDrop((files) => {
    const [first] = files
    if (files.length > 1) setOpen({ part: 'several', files, arrived: null })
    else if (first) setOpen({ ...NEW_ARTWORK, file: first })
  })

  const head = useRef<HTMLDivElement>(null)
  const areUnpublished = wanted.state === 'unpublished' && shown.length > 1
  useFocusWhenGone(artworks.length > 0, () => head.current)
  useFocusWhenGone(areUnpublished, () => head.current)
  return (
    <div ref={head} tabIndex={-1} className={styles.gallery} data-over={isOver || undefined} {...handlers}>
      <ArtworksHead
        artworks={artworks}
        filter={filter}
        onFilter={setFilter}
        arranging={arranging}
        onArrange={setArranging}
        onAdd={() => setOpen(NEW_ARTWORK)}
        onSeveral={() => setOpen({ part: 'several', files: [], arrived: null })}
        onDeleted={() => setOpen({ part: 'deleted' })}
      />
      <TabDrafts
        prefix={ARTWORK_DRAFTS}
        things={artworks}
        isOffered={open === null}
        titleOf={({ title }) => title}
        onRestore={(artwork) =>
          setOpen(artwork ? { part: 'edit', artwork, restoring: true } : { ...NEW_ARTWORK, restoring: true })
        }
      />
      {open === null && <ArrivedDraft onOpen={setOpen} />}
      {arranging && (
        <p className={styles.hint}>Drag the pictures, or use the arrows. Every move is saved at once.</p>
      )}
      <p className={styles.found} role="status">
        {isFiltering(wanted) && `${shown.length} of ${artworks.length} shown`}
      </p>
      <div aria-live="polite">
        <Quiet>{announcement}</Quiet>
      </div>
      {areUnpublished && <PublishShown shown={shown} />}
      {artworks.length === 0 ? (
        <EmptyState text="No artworks found. Add your first artwork to get started!" />
      ) : shown.length === 0 ? (
        <Banner actions={<Button onClick={() => setFilter(NO_FILTER)}>Show all</Button>}>
          No artwork fits this search.
        </Banner>
      ) : (
        <Cards
          artworks={shown}
          all={artworks}
          actions={actions}
          arranging={arranging}
          onMoveBefore={moveBefore}
          preparingOf={preparingOf}
        />
      )}
      {isOver && <p className={styles.drop}>Drop pictures to add them</p>}

      <OpenDialog open={open} onClose={close} head={() => head.current} />
      <DeleteQuestion artwork={deleting} onAnswered={() => setDeleting(null)} head={() => head.current} />
    </div>
  )
}

/** Images of “Add several” that had arrived on an earlier visit. */
function ArrivedDraft({ onOpen }: { onOpen: (open: Open) => void }) {
  const { draft, look } = useArrived()
  if (!draft) return null
  const count = draft.value.length
  return (
    <TabDraft
      draft={draft}
      of={count === 1 ? '1 picture' : `${count} pictures`}
      onDiscard={() => {
        dropDraft(draft.slot)
        look()
      }}
      onRestore={() => {
        // Another tab may have added it since.
        const arrived = look()
        if (arrived?.slot === draft.slot) onOpen({ part: 'several', files: [], arrived })
      }}
    />
  )
}

/** Publishes all that are shown. */
function PublishShown({ shown }: { shown: readonly Artwork[] }) {
  const { publish, pending } = usePublish()
  return (
    <Banner
      actions={
        <Button busy={pending} onClick={() => !pending && void publish(shown)}>
          {pending ? ARTWORK_WORDS.publishing : ARTWORK_WORDS.publishShown(shown.length)}
        </Button>
      }
    >
      These are not on the website yet.
    </Banner>
  )
}

type DeleteQuestionProps = {
  artwork: Artwork | null
  onAnswered: () => void
  head: () => HTMLElement | null
}

function DeleteQuestion({ artwork, onAnswered, head }: DeleteQuestionProps) {
  const { save } = useDeletion()
  return (
    <ConfirmDialog
      open={artwork !== null}
      title="Delete Artwork"
      text="Are you sure you want to delete this artwork? This action cannot be undone."
      confirm={ADMIN_WORDS.delete}
      onCancel={onAnswered}
      onConfirm={() => {
        onAnswered()
        if (artwork) void save({ params: { id: artwork.id } })
      }}
      returnFocus={head}
    >
      <small>
        You can bring it back at any time, with its picture: it waits under “Recently deleted” in this tab.
      </small>
      <p>
        <cite>{artwork?.title}</cite>
      </p>
    </ConfirmDialog>
  )
}

type OpenDialogProps = {
  open: Open | null
  onClose: () => void
  head: () => HTMLElement | null
}

/** What lies above the list, if anything does, and where the focus goes after it. */
function OpenDialog({ open, onClose, head }: OpenDialogProps) {
  // On a phone the opener was an entry of a menu, which is gone by then.
  const tools = (): HTMLElement | null => head()?.querySelector<HTMLElement>('[data-tools]') ?? null
  switch (open?.part) {
    case undefined:
      return null
    case 'add':
      return (
        <AddDialog
          like={open.like}
          file={open.file}
          restoring={open.restoring}
          onClose={onClose}
          returnFocus={() => (open.like ? buttonOf(open.like.id, 'more') : head())}
        />
      )
    case 'edit':
      return (
        <EditDialog
          opened={open.artwork}
          restoring={open.restoring}
          onClose={onClose}
          returnFocus={() => buttonOf(open.artwork.id, 'edit')}
        />
      )
    case 'several':
      return <BatchDialog files={open.files} arrived={open.arrived} onClose={onClose} returnFocus={tools} />
    case 'deleted':
      return <DeletedDialog onClose={onClose} returnFocus={tools} />
  }
}

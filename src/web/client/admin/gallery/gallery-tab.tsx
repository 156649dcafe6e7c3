import { startTransition, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Banner, DraftBanner } from '../form/banner.tsx'
import { EmptyState, ListState } from '../form/list-state.tsx'
import { useArtworks } from '../lib/queries.ts'
import { useDashboardParts } from '../shell/dashboard-parts.ts'
import { PanelHead } from '../shell/panel.tsx'
import { AddDialog } from './add-dialog.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import type { CardActions } from './card.tsx'
import { Cards } from './cards.tsx'
import { DeleteWork } from './delete-work.tsx'
import { DeletedDialog } from './deleted-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { GalleryHead } from './gallery-head.tsx'
import { GALLERY_WORDS, shownOf } from './gallery-words.ts'
import { targetOf } from './moves.ts'
import { useCardChanges } from './use-card-changes.ts'
import { useFileDrop } from './use-file-drop.ts'
import { buttonOf } from './use-kept-focus.ts'
import { useMoves } from './use-moves.ts'
import { usePreparing } from './use-preparing.ts'
import { useWorkDrafts } from './use-work-drafts.ts'
import { isFiltering, NO_FILTER, worksFitting } from './work-filter.ts'
import styles from './gallery-tab.module.css'

/** The Gallery tab: the works. */
export function GalleryTab() {
  const query = useArtworks()
  if (query.data === undefined) {
    return (
      <>
        <PanelHead title={GALLERY_WORDS.title} />
        <ListState query={query}>{() => null}</ListState>
      </>
    )
  }
  return <Gallery works={query.data} />
}

/** What lies above the list. */
type Open =
  | { part: 'add'; like: Artwork | null; file: File | null; restoring: boolean }
  | { part: 'edit'; work: Artwork; restoring: boolean }
  | { part: 'several'; files: readonly File[] }
  | { part: 'deleted' }

function Gallery({ works }: { works: readonly Artwork[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const [deleting, setDeleting] = useState<Artwork | null>(null)
  const [filter, setFilter] = useState(NO_FILTER)
  const [arranging, setArranging] = useState(false)
  const wanted = useDeferredValue(filter)
  const shown = useMemo(() => worksFitting(works, wanted), [works, wanted])
  const { moveBefore, announcement } = useMoves(works)
  const { toggleAvailable, setSaleStatus, setFeatured, remove } = useCardChanges()
  const { openActivity } = useDashboardParts()
  const preparingOf = usePreparing(works)
  const drafts = useWorkDrafts(works, open === null)
  const close = useCallback(() => setOpen(null), [])
  const current = useRef({ works, shown, moveBefore })
  useEffect(() => {
    current.current = { works, shown, moveBefore }
  })

  const actions = useMemo<CardActions>(
    () => ({
      edit: (id) => {
        const work = current.current.works.find((each) => each.id === id)
        // The form is large: the press is answered first.
        if (work) startTransition(() => setOpen({ part: 'edit', work, restoring: false }))
      },
      toggleAvailable,
      setSaleStatus,
      setFeatured,
      askDelete: (id) => setDeleting(current.current.works.find((each) => each.id === id) ?? null),
      addLike: (work) => setOpen({ part: 'add', like: work, file: null, restoring: false }),
      showHistory: openActivity,
      move: (work, to) => {
        const { works: all, shown: visible, moveBefore: move } = current.current
        const before = targetOf(all, visible, work.id, to)
        if (before !== undefined) move(work, before)
      },
    }),
    [toggleAvailable, setSaleStatus, setFeatured, openActivity],
  )
  const { isOver, handlers } = useFileDrop((files) => {
    const [first] = files
    if (files.length > 1) setOpen({ part: 'several', files })
    else if (first) setOpen({ part: 'add', like: null, file: first, restoring: false })
  })

  const head = useRef<HTMLDivElement>(null)
  const hadWorks = useRef(false)
  useEffect(() => {
    // With the last work its list goes, and with it the place where the focus was.
    const isLast = works.length === 0 && hadWorks.current
    if (isLast && document.activeElement === document.body) head.current?.focus()
    hadWorks.current = works.length > 0
  }, [works.length])
  // On a phone the opener was an entry of a menu, which is gone by then.
  const tools = (): HTMLElement | null => head.current?.querySelector<HTMLElement>('[data-tools]') ?? null

  return (
    <div ref={head} tabIndex={-1} className={styles.gallery} data-over={isOver || undefined} {...handlers}>
      <GalleryHead
        works={works}
        filter={filter}
        onFilter={setFilter}
        arranging={arranging}
        onArrange={setArranging}
        onAdd={() => setOpen({ part: 'add', like: null, file: null, restoring: false })}
        onSeveral={() => setOpen({ part: 'several', files: [] })}
        onDeleted={() => setOpen({ part: 'deleted' })}
      />
      {drafts.offers.map(({ name, draft, work }) => (
        <DraftBanner
          key={name}
          draft={draft}
          of={work?.title ?? null}
          onDiscard={() => drafts.discard(name)}
          onRestore={() =>
            setOpen(
              work
                ? { part: 'edit', work, restoring: true }
                : { part: 'add', like: null, file: null, restoring: true },
            )
          }
        />
      ))}
      {arranging && <p className={styles.hint}>{GALLERY_WORDS.arrangeHint}</p>}
      <p className={styles.found} role="status">
        {isFiltering(wanted) && shownOf(shown.length, works.length)}
      </p>
      <div aria-live="polite">
        <Quiet>{announcement}</Quiet>
      </div>
      {works.length === 0 ? (
        <EmptyState text={GALLERY_WORDS.empty} />
      ) : shown.length === 0 ? (
        <Banner actions={<Button onClick={() => setFilter(NO_FILTER)}>{GALLERY_WORDS.showAll}</Button>}>
          {GALLERY_WORDS.nothingFound}
        </Banner>
      ) : (
        <Cards
          works={shown}
          all={works}
          actions={actions}
          arranging={arranging}
          onMoveBefore={moveBefore}
          preparingOf={preparingOf}
        />
      )}
      {isOver && <p className={styles.drop}>{GALLERY_WORDS.dropHere}</p>}

      {open?.part === 'add' && (
        <AddDialog
          like={open.like}
          file={open.file}
          restoring={open.restoring}
          onClose={close}
          returnFocus={open.like ? () => buttonOf(open.like?.id ?? '', 'more') : undefined}
        />
      )}
      {open?.part === 'edit' && (
        <EditDialog
          opened={open.work}
          restoring={open.restoring}
          onClose={close}
          returnFocus={() => buttonOf(open.work.id, 'edit')}
        />
      )}
      {open?.part === 'several' && <BatchDialog files={open.files} onClose={close} returnFocus={tools} />}
      {open?.part === 'deleted' && <DeletedDialog onClose={close} returnFocus={tools} />}
      <DeleteWork
        work={deleting}
        onCancel={() => setDeleting(null)}
        onConfirm={(work) => {
          setDeleting(null)
          remove(work)
        }}
        returnFocus={() => head.current}
      />
    </div>
  )
}

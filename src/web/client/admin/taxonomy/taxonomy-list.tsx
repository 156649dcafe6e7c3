import { type ReactNode, useId, useRef, useState } from 'react'
import { inGroups } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { ArrangeButton, MoveButtons } from '../arrange/move-buttons.tsx'
import { droppedBefore, type MoveBefore, targetOf, useMoves } from '../arrange/moves.ts'
import { type Drop, useDrag } from '../arrange/use-drag.ts'
import { useKeptFocus } from '../arrange/use-kept-focus.ts'
import { TabDrafts } from '../form/tab-drafts.tsx'
import { EmptyState, ListState, type QueryLike } from '../form/list-state.tsx'
import { RowButton } from '../form/row-button.tsx'
import rows from '../form/rows.module.css'
import { patchItem } from '../lib/optimistic.ts'
import { useSave } from '../lib/save.ts'
import { draftsOf, EntryDialog } from './entry-dialog.tsx'
import { type Entry, FIELD_WORDS, INACTIVE } from './entry-values.ts'
import { KINDS, type TermField } from './kinds.ts'
import styles from './taxonomy-list.module.css'

const NONE: readonly Entry[] = []

/** One flag with its new value overwrites nothing else, so that quick taps need no version of their own. */
type Toggle = { params: { id: string }; body: { isActive: boolean } }

/** Categories or mediums with their count; add, edit, switch on and off, move, delete. */
export function TaxonomyList({ kind, query }: { kind: TermField; query: QueryLike<readonly Entry[]> }) {
  const texts = KINDS[kind]
  const headingId = useId()
  const addButton = useRef<HTMLButtonElement>(null)
  const [editing, setEditing] = useState<{ opened: Entry | null; restoring?: boolean } | null>(null)
  const [deleting, setDeleting] = useState<Entry | null>(null)
  const [arrange, setArranging] = useState(false)
  const entries = query.data
  const canArrange = (entries?.length ?? 0) > 1
  const arranging = arrange && canArrange
  const { moveBefore, announcement } = useMoves<Entry>({
    items: entries ?? [],
    move: texts.calls.move,
    queryKey: texts.key,
    nameOf: ({ name }) => name,
    success: texts.updated,
    failure: texts.updateFailed,
  })

  const toggle = useSave(texts.calls.change, {
    inTurn: 'of thing',
    optimistic: ({ params: { id }, body }: Toggle) => patchItem<Entry>(texts.key, id, body),
    success: texts.updated,
    failure: texts.updateFailed,
  })
  const remove = useSave(texts.calls.delete, {
    success: texts.deleted,
    failure: texts.deleteFailed,
  })

  return (
    <section className={styles.list} aria-labelledby={headingId}>
      <header>
        <h3 id={headingId}>
          {texts.heading} {entries && <small>{inGroups(entries.length)}</small>}
        </h3>
        {canArrange && <ArrangeButton of={texts.heading} arranging={arranging} onArrange={setArranging} />}
        <Button ref={addButton} onClick={() => setEditing({ opened: null })}>
          <AdminIcon name="plus" />
          {texts.add}
        </Button>
      </header>
      <TabDrafts
        prefix={draftsOf(kind)}
        things={entries ?? NONE}
        isOffered={editing === null}
        titleOf={({ name }) => `${texts.one} ${name}`}
        newTitle={`New ${texts.one.toLowerCase()}`}
        onRestore={(opened) => setEditing({ opened, restoring: true })}
      />
      <ListState query={query}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState text={texts.empty} />
          ) : (
            <Entries
              entries={list}
              arranging={arranging}
              onMoveBefore={moveBefore}
              onToggle={(entry, isActive) =>
                void toggle.save({ params: { id: entry.id }, body: { isActive } })
              }
              onEdit={(entry) => setEditing({ opened: entry })}
              onDelete={setDeleting}
            />
          )
        }
      </ListState>
      <div aria-live="polite">
        <Quiet>{announcement}</Quiet>
      </div>
      {editing && <EntryDialog kind={kind} {...editing} entries={entries} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        title={texts.delete}
        text={deleting ? deleteText(deleting) : ''}
        confirm={ADMIN_WORDS.delete}
        pending={remove.pending}
        pendingText="Deleting..."
        onCancel={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting) void remove.save({ params: { id: deleting.id } }).then(() => setDeleting(null))
        }}
        returnFocus={() => addButton.current}
      >
        <small>You can bring it back at any time: “Activity”, at the top, has an Undo.</small>
      </ConfirmDialog>
    </section>
  )
}

type EntriesProps = {
  entries: readonly Entry[]
  arranging: boolean
  onMoveBefore: MoveBefore
  onToggle: (entry: Entry, isActive: boolean) => void
  onEdit: (entry: Entry) => void
  onDelete: (entry: Entry) => void
}

/** The rows; while they are arranged they can be dragged, and have the buttons that move them. */
function Entries({ entries, arranging, onMoveBefore, onToggle, onEdit, onDelete }: EntriesProps) {
  const scroller = useRef<HTMLUListElement>(null)
  const { drag, onPointerDown } = useDrag(scroller, true, (id, drop) =>
    onMoveBefore(id, droppedBefore(entries, drop)),
  )
  const focus = useKeptFocus(entries, (index) =>
    scroller.current?.children[index]?.scrollIntoView({ block: 'nearest' }),
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears of its rows' own controls
    <ul
      ref={scroller}
      className={classNames(rows.rows, rows.capped)}
      onPointerDown={arranging ? onPointerDown : undefined}
      onFocus={({ target }) => focus.came(target)}
      onBlur={({ target }) => focus.left(target)}
    >
      {entries.map((entry, index) => (
        <EntryRow
          key={entry.id}
          entry={entry}
          arranging={arranging}
          drop={drag?.drop?.overId === entry.id ? drag.drop.side : null}
          dragged={drag?.id === entry.id}
        >
          {arranging ? (
            <MoveButtons
              name={entry.name}
              place={index + 1}
              of={entries.length}
              className={rows.only}
              onMove={(to) => onMoveBefore(entry.id, targetOf(entries, entries, entry.id, to))}
            />
          ) : (
            <EntryActs
              entry={entry}
              onToggle={(isActive) => onToggle(entry, isActive)}
              onEdit={() => onEdit(entry)}
              onDelete={() => onDelete(entry)}
            />
          )}
        </EntryRow>
      ))}
    </ul>
  )
}

type EntryRowProps = {
  entry: Entry
  arranging: boolean
  /** where a dragged one would be put if it were let go here */
  drop: Drop['side'] | null
  dragged: boolean
  /** what can be done with it */
  children: ReactNode
}

function EntryRow({ entry, arranging, drop, dragged, children }: EntryRowProps) {
  const { id, name, isActive } = entry
  return (
    <li
      className={classNames(rows.row, styles.row, !isActive && rows.off)}
      data-movable={id}
      data-drop={drop ?? undefined}
      data-dragged={dragged || undefined}
    >
      <div className={arranging ? styles.handle : undefined} data-drag={arranging ? id : undefined}>
        {arranging && <AdminIcon name="grip" className={styles.grip} />}
        <strong>{name}</strong>
        <p>{factsOf(entry)}</p>
      </div>
      <div className={rows.acts}>{children}</div>
    </li>
  )
}

type EntryActsProps = {
  entry: Entry
  onToggle: (isActive: boolean) => void
  onEdit: () => void
  onDelete: () => void
}

function EntryActs({ entry: { name, isActive }, onToggle, onEdit, onDelete }: EntryActsProps) {
  return (
    <>
      <Switch checked={isActive} onChange={onToggle} name={`${name}: ${FIELD_WORDS.isActive}`} />
      <RowButton
        hint={ADMIN_WORDS.edit}
        icon="edit"
        aria-label={`${ADMIN_WORDS.edit} ${name}`}
        onClick={onEdit}
      />
      <RowButton
        hint={ADMIN_WORDS.delete}
        icon="bin"
        look="danger"
        aria-label={`${ADMIN_WORDS.delete} ${name}`}
        onClick={onDelete}
      />
    </>
  )
}

/** "Inactive · Commissioned walls · used by 4 works · order 2" */
function factsOf({ isActive, description, usedBy, sortOrder }: Entry): string {
  return [
    isActive ? null : INACTIVE,
    description.split('\n')[0],
    usedBy === undefined ? null : `used by ${usedBy === 1 ? '1 work' : `${usedBy} works`}`,
    `order ${sortOrder}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function deleteText({ name, usedBy = 0 }: Entry): string {
  const those =
    usedBy === 1 ? '1 work uses this name and keeps it' : `${usedBy} works use this name and keep it`
  const uses = usedBy === 0 ? 'No work uses it.' : `${those} as text.`
  return `Delete “${name}”? ${uses}`
}

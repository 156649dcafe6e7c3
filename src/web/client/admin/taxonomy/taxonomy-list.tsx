import { useId, useRef, useState } from 'react'
import { formatCount } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { ADMIN_WORDS, TAXONOMY_WORDS } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { EmptyState, ListState, type QueryLike } from '../form/list-state.tsx'
import rows from '../form/rows.module.css'
import { patchItem } from '../lib/optimistic.ts'
import { useSave } from '../lib/save.ts'
import { EntryDialog } from './entry-dialog.tsx'
import type { Entry } from './entry-values.ts'
import { KINDS, type TaxonomyKind } from './kinds.ts'
import styles from './taxonomy-list.module.css'

type TaxonomyListProps = { kind: TaxonomyKind; query: QueryLike<readonly Entry[]> }

/** Categories or mediums with their count; add, edit, switch on and off, delete. */
export function TaxonomyList({ kind, query }: TaxonomyListProps) {
  const texts = KINDS[kind]
  const headingId = useId()
  const addButton = useRef<HTMLButtonElement>(null)
  const [editing, setEditing] = useState<{ opened: Entry | null } | null>(null)
  const [deleting, setDeleting] = useState<Entry | null>(null)
  const entries = query.data

  const toggle = useSave<{ entry: Entry; isActive: boolean }, Entry>({
    request: ({ entry, isActive }) => ({
      method: 'PUT',
      path: `${texts.path}/${entry.id}`,
      // One flag with its new value overwrites nothing else, so that quick taps need no version of their own.
      body: { isActive },
    }),
    inTurn: true,
    refetch: [texts.key],
    optimistic: ({ entry, isActive }) => patchItem<Entry>(texts.key, entry.id, { isActive }),
    success: texts.updated,
    failure: texts.updateFailed,
  })
  const remove = useSave<Entry>({
    request: ({ id }) => ({ method: 'DELETE', path: `${texts.path}/${id}` }),
    refetch: [texts.key],
    success: texts.deleted,
    failure: texts.deleteFailed,
  })

  return (
    <section className={styles.list} aria-labelledby={headingId}>
      <header>
        <h3 id={headingId}>
          {texts.heading} {entries && <small>{formatCount(entries.length)}</small>}
        </h3>
        <Button ref={addButton} onClick={() => setEditing({ opened: null })}>
          <AdminIcon name="plus" />
          {texts.add}
        </Button>
      </header>
      <ListState query={query}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState text={texts.empty} />
          ) : (
            <ul className={classNames(rows.rows, rows.capped)}>
              {list.map((entry) => (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  onToggle={(isActive) => void toggle.save({ entry, isActive })}
                  onEdit={() => setEditing({ opened: entry })}
                  onDelete={() => setDeleting(entry)}
                />
              ))}
            </ul>
          )
        }
      </ListState>
      {editing && (
        <EntryDialog kind={kind} opened={editing.opened} entries={entries} onClose={() => setEditing(null)} />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={texts.delete}
        text={deleting ? deleteText(deleting) : ''}
        cancel={ADMIN_WORDS.cancel}
        confirm={ADMIN_WORDS.delete}
        pending={remove.pending}
        pendingText={TAXONOMY_WORDS.deleting}
        onCancel={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting) void remove.save(deleting).then(() => setDeleting(null))
        }}
        returnFocus={() => addButton.current}
      />
    </section>
  )
}

type EntryRowProps = {
  entry: Entry
  onToggle: (isActive: boolean) => void
  onEdit: () => void
  onDelete: () => void
}

function EntryRow({ entry, onToggle, onEdit, onDelete }: EntryRowProps) {
  const { name, isActive } = entry
  return (
    <li className={classNames(rows.row, !isActive && rows.off)}>
      <div>
        <strong>{name}</strong>
        <p>{factsOf(entry)}</p>
      </div>
      <div className={rows.acts}>
        <Switch checked={isActive} onChange={onToggle} name={`${name}: ${TAXONOMY_WORDS.active}`} />
        <Tooltip text={ADMIN_WORDS.edit}>
          <Button
            look="plain"
            only
            className={rows.only}
            aria-label={`${ADMIN_WORDS.edit} ${name}`}
            onClick={onEdit}
          >
            <AdminIcon name="edit" />
          </Button>
        </Tooltip>
        <Tooltip text={ADMIN_WORDS.delete}>
          <Button
            look="danger"
            only
            className={rows.only}
            aria-label={`${ADMIN_WORDS.delete} ${name}`}
            onClick={onDelete}
          >
            <AdminIcon name="bin" />
          </Button>
        </Tooltip>
      </div>
    </li>
  )
}

/** "Inactive · Commissioned walls · used by 4 works · order 2" */
function factsOf({ isActive, description, usedBy, sortOrder }: Entry): string {
  return [
    isActive ? null : TAXONOMY_WORDS.inactive,
    description.split('\n')[0],
    usedBy === undefined ? null : TAXONOMY_WORDS.usedBy(usedBy),
    TAXONOMY_WORDS.order(sortOrder),
  ]
    .filter(Boolean)
    .join(' · ')
}

function deleteText({ name, usedBy = 0 }: Entry): string {
  const uses = usedBy === 0 ? TAXONOMY_WORDS.deleteUnused : TAXONOMY_WORDS.deleteUsed(usedBy)
  return `${TAXONOMY_WORDS.deleteQuestion(name)} ${uses}`
}

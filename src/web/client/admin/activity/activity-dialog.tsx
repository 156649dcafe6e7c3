import { useState, useDeferredValue } from 'react'
import { undoActivity } from '#web/contract/addresses.ts'
import type { ActivityItem } from '#web/contract/activity.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { failureToast, UNDONE } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { FormAlert } from '../form/banner.tsx'
import { ListState } from '../form/list-state.tsx'
import { alertOf, type Failure } from '../lib/failure.ts'
import { whenInWords, useNow } from '../lib/in-words.ts'
import { useActivity, useArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { searchBy } from '../lib/search.ts'
import { skippedIn } from '../lib/undo.ts'
import styles from './activity-dialog.module.css'
import { SearchField } from '../form/text-fields.tsx'

type ActivityDialogProps = { open: boolean; artwork: ChosenArtwork | null; onClose: () => void }

/** What happened, in plain sentences; one tap takes back what can be taken back. */
export function ActivityDialog({ open, artwork, onClose }: ActivityDialogProps) {
  return (
    <Dialog open={open} title="Activity" onClose={onClose} closeOnOutside>
      <Activity artwork={artwork} />
    </Dialog>
  )
}

function Activity({ artwork }: { artwork: ChosenArtwork | null }) {
  const [chosen, setChosen] = useState(artwork)
  const query = useActivity(chosen?.id ?? null)
  const now = useNow()
  /** why what was pressed last, or while it was under way, was not or not all taken back */
  const [left, setLeft] = useState<string | null>(null)
  const { save, pending, input } = useSave(undoActivity, {
    success: UNDONE,
    failure: failureToast('This could not be undone.'),
  })
  const undo = async (item: ActivityItem): Promise<void> => {
    setLeft(null)
    const saved = await save({ params: { id: item.id } })
    const words = saved.ok ? skippedIn(saved.answer) : undoAlert(saved.failure)
    // One that is done says nothing of another one.
    if (words !== null) setLeft(words)
  }
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <ArtworkPicker chosen={chosen} onChoose={setChosen} />
      <FormAlert>{left}</FormAlert>
      <ListState query={query}>
        {() =>
          items.length === 0 ? (
            <p>Nothing has happened yet.</p>
          ) : (
            <ol className={styles.list}>
              {items.map((item) => (
                <li key={item.id}>
                  <span>{item.sentence}</span>
                  <small>
                    {item.actor} · <time dateTime={item.at}>{whenInWords(item.at, now)}</time>
                  </small>
                  {item.undo && (
                    <Button
                      look="plain"
                      busy={pending && input?.params.id === item.id}
                      onClick={() => void undo(item)}
                    >
                      <AdminIcon name="undo" />
                      {item.undo.label}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </ListState>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

/** The server's own sentence says why: changed again since, not there any more, no connection. */
function undoAlert(failure: Failure): string | null {
  return failure.kind === 'conflict' ? failure.message : alertOf(failure, [], 0)
}

type ChosenArtwork = { id: string; title: string }

type ArtworkPickerProps = { chosen: ChosenArtwork | null; onChoose: (artwork: ChosenArtwork | null) => void }

/** So many titles are offered while one types. */
const OFFERED = 6

const titled = searchBy(({ title }: Artwork) => title)

/** Narrows the activity to one artwork: typing offers titles, one tap chooses. */
function ArtworkPicker({ chosen, onChoose }: ArtworkPickerProps) {
  const { data: artworks = [] } = useArtworks()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text).trim()
  if (chosen) {
    return (
      <p className={styles.chosen}>
        <strong>{`Activity of ${chosen.title}`}</strong>
        <Button look="plain" onClick={() => onChoose(null)}>
          All activity
        </Button>
      </p>
    )
  }
  const found = wanted === '' ? [] : titled(artworks, wanted).slice(0, OFFERED)
  return (
    <div className={styles.filter}>
      <SearchField label="Only of one work" value={text} onChange={setText} />
      {found.length > 0 && (
        <ul className={styles.found}>
          {found.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => {
                  setText('')
                  onChoose({ id, title })
                }}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

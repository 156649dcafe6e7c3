import { useState } from 'react'
import type { ActivityItem } from '#web/contract/activity.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ACTIVITY_WORDS } from '../admin-constants.ts'
import { AdminIcon } from '../admin-icon.tsx'
import { FormAlert } from '../form/banner.tsx'
import { ListState } from '../form/list-state.tsx'
import { alertOf } from '../lib/failure.ts'
import { whenInWords } from '../lib/moments.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useNow } from '../lib/use-now.ts'
import styles from './activity-dialog.module.css'
import { useActivity } from './use-activity.ts'
import { type ChosenWork, WorkFilter } from './work-filter.tsx'

type ActivityDialogProps = { open: boolean; work: ChosenWork | null; onClose: () => void }

/** What happened, in plain sentences; one tap takes back what can be taken back (decisions 96). */
export function ActivityDialog({ open, work, onClose }: ActivityDialogProps) {
  return (
    <Dialog open={open} title={ACTIVITY_WORDS.title} onClose={onClose} closeOnOutside>
      <Activity work={work} />
    </Dialog>
  )
}

function Activity({ work }: { work: ChosenWork | null }) {
  const [chosen, setChosen] = useState(work)
  const query = useActivity(chosen?.id ?? null)
  const now = useNow()
  const { save, pending, input, failure } = useSave<ActivityItem>({
    request: ({ id }) => ({ method: 'POST', path: `/api/activity/${encodeURIComponent(id)}/undo` }),
    refetch: [KEYS.activity, KEYS.artworks, KEYS.deletedArtworks, KEYS.siteContent],
    success: ACTIVITY_WORDS.undone,
    failure: ACTIVITY_WORDS.undoFailed,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <WorkFilter chosen={chosen} onChoose={setChosen} />
      <FormAlert>{undoAlert(failure)}</FormAlert>
      <ListState query={query}>
        {() =>
          items.length === 0 ? (
            <p>{ACTIVITY_WORDS.empty}</p>
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
                      busy={pending && input?.id === item.id}
                      onClick={() => !pending && void save(item)}
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
          {ACTIVITY_WORDS.more}
        </Button>
      )}
    </>
  )
}

/** The server's own sentence says why: changed again since, not there any more, no connection. */
function undoAlert(failure: Parameters<typeof alertOf>[0]): string | null {
  return failure?.kind === 'conflict' ? failure.message : alertOf(failure, [], 0)
}

import { useId } from 'react'
import { endOtherSessions, endSession } from '#web/contract/addresses.ts'
import type { AccountSession } from '#web/contract/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/mark.tsx'
import { ACCOUNT_WORDS } from './account-words.ts'
import { ListState } from '../form/list-state.tsx'
import { whenInWords } from '../lib/moments.ts'
import { removeItem } from '../lib/optimistic.ts'
import { KEYS, useSessions } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useNow } from '../lib/use-now.ts'
import styles from './account-dialog.module.css'

/** The browsers that are signed in, this one first; every other one can be signed out. */
export function SessionList() {
  const headingId = useId()
  const query = useSessions()
  const now = useNow()
  const { save } = useSave(endSession, {
    refetch: [KEYS.sessions],
    optimistic: ({ params: { id } }) => removeItem<AccountSession>(KEYS.sessions, id),
    success: ACCOUNT_WORDS.ended,
    failure: ACCOUNT_WORDS.endFailed,
  })
  const others = useSave(endOtherSessions, {
    refetch: [KEYS.sessions],
    success: ACCOUNT_WORDS.othersEnded,
    failure: ACCOUNT_WORDS.endFailed,
  })
  const hasOthers = query.data?.some(({ current }) => !current) ?? false
  return (
    <section className={styles.part} aria-labelledby={headingId}>
      <h3 id={headingId} tabIndex={-1}>
        {ACCOUNT_WORDS.sessions}
      </h3>
      <ListState query={query}>
        {(sessions) => (
          <ul>
            {ownFirst(sessions).map((session) => {
              const when = whenInWords(session.lastSeenAt, now)
              return (
                <li key={session.id} className={styles.session}>
                  <div>
                    <strong>{session.device}</strong>
                    <p>
                      {session.address} · {ACCOUNT_WORDS.lastSeen(when)}
                    </p>
                  </div>
                  {session.current ? (
                    <Badge>{ACCOUNT_WORDS.thisOne}</Badge>
                  ) : (
                    <Button
                      look="danger"
                      aria-label={ACCOUNT_WORDS.endName(session.device, when)}
                      onClick={() => {
                        document.getElementById(headingId)?.focus()
                        void save({ params: { id: session.id } })
                      }}
                    >
                      {ACCOUNT_WORDS.end}
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </ListState>
      {hasOthers && (
        <Button
          look="danger"
          busy={others.pending}
          onClick={() => {
            document.getElementById(headingId)?.focus()
            if (!others.pending) void others.save({})
          }}
        >
          {others.pending ? ACCOUNT_WORDS.endingOthers : ACCOUNT_WORDS.endOthers}
        </Button>
      )}
    </section>
  )
}

function ownFirst(sessions: readonly AccountSession[]): readonly AccountSession[] {
  return sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  )
}

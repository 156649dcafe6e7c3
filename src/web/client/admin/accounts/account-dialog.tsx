import { successToast, failureToast } from '../admin-constants.ts'
import { useUser } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useLeave, useGuard } from '../lib/guard.tsx'
import styles from './account-dialog.module.css'
import { useId, useState } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { keyOf } from '../lib/stale.ts'
import { useStatus, useSessions } from '../lib/queries.ts'
import { useSteps, useStepsAway } from '../site-content/first-steps.ts'
import { changePassword, endOtherSessions, endSession, listSessions } from '#web/contract/addresses.ts'
import { Button } from '../../ui/button.tsx'
import { FormAlert } from '../form/banner.tsx'
import { PasswordField } from '../form/password-field.tsx'
import { alertOf, isUndecided } from '../lib/failure.ts'
import { useFieldErrors } from '../lib/use-entity-form.ts'
import { useSave } from '../lib/save.ts'
import type { AccountSession } from '#web/contract/accounts.ts'
import { Badge } from '../../ui/state-text.tsx'
import { ListState } from '../form/list-state.tsx'
import { whenInWords, useNow } from '../lib/in-words.ts'
import { removeItem } from '../lib/optimistic.ts'

/** Brings the first steps back, or puts them away. */
function StepsSwitch() {
  const { data: status } = useStatus()
  const { save, pending, input } = useStepsAway()
  // Then there is no list to bring back.
  const allDone = useSteps()?.every(({ done }) => done) ?? false
  if (!status) return null
  const isAway = pending && input !== undefined ? input.body.away : status.firstStepsAway
  return (
    <div className={styles.part}>
      <Switch
        label="Show the first steps"
        hint={allDone ? 'All of them are done.' : 'The list at the top of the dashboard.'}
        checked={!isAway && !allDone}
        disabled={allDone}
        onChange={(shown) => !pending && void save({ body: { away: !shown } })}
      />
    </div>
  )
}

type AccountDialogProps = {
  open: boolean
  /** the focus goes to the current password instead of the heading */
  toPassword: boolean
  onClose: () => void
}

/** The account: password, the browsers that are signed in, and whether the first steps are shown. */
export function AccountDialog({ open, toPassword, onClose }: AccountDialogProps) {
  const { leave } = useLeave()
  const user = useUser()
  return (
    <Dialog
      open={open}
      title="Account"
      onClose={() => leave(onClose, PASSWORD_SCOPE)}
      closeOnOutside
      focusFirst={toPassword}
    >
      {user && <p className={styles.who}>{`Signed in as ${user.username}`}</p>}
      <PasswordForm />
      <SessionList />
      <StepsSwitch />
    </Dialog>
  )
}

const SESSIONS = keyOf(listSessions, {})
const END_FAILED = failureToast('Failed to sign out there. Please try again.')

const PASSWORD_SCOPE = 'password'

const SHOWN = ['currentPassword', 'newPassword'] as const

/** It is not sent under an id: sent again, the old password is a wrong one where the first try was carried out. */
const LOST =
  'The site did not answer: the password is the old one still, or the new one already. Check the connection and try again. If the current password is called wrong then, it is the new one.'

/** Changes the password; all other sessions end. A password is never kept as a draft. */
function PasswordForm() {
  const headingId = useId()
  const user = useUser()
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const [asked, setAsked] = useState(false)
  const { save, pending, failure } = useSave(changePassword, {
    success: successToast('Password changed. Other browsers are signed out.'),
    failure: (_input, why) =>
      failureToast(
        isUndecided(why)
          ? 'Nobody knows yet whether the password was changed.'
          : 'Failed to change the password.',
      ),
  })
  const clear = (): void => {
    setCurrent('')
    setFresh('')
    setAsked(false)
  }
  // What is being changed is not discarded any more; a message tells what came of it.
  useGuard(PASSWORD_SCOPE, !pending && (current !== '' || fresh !== ''), clear)
  const errors = useFieldErrors(failure, { currentPassword: current, newPassword: fresh })

  const submit = async (): Promise<void> => {
    setAsked(true)
    if (current === '' || fresh === '' || pending) return
    const result = await save({ body: { currentPassword: current, newPassword: fresh } })
    if (result.ok) clear()
  }

  return (
    <form
      noValidate
      className={styles.part}
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h3 id={headingId}>Change password</h3>
      {/* Tells password managers whose password this is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user?.username ?? ''}
        readOnly
        hidden
      />
      <FormAlert>{isUndecided(failure) ? LOST : alertOf(failure, SHOWN, 0)}</FormAlert>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={asked && current === '' ? 'Current password is required' : errors['currentPassword']}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. All other browsers are signed out."
        value={fresh}
        onChange={setFresh}
        error={asked && fresh === '' ? 'New password is required' : errors['newPassword']}
      />
      <Button type="submit" busy={pending}>
        {pending ? 'Changing...' : 'Change Password'}
      </Button>
    </form>
  )
}

/** The browsers that are signed in, this one first; every other one can be signed out. */
function SessionList() {
  const headingId = useId()
  const query = useSessions()
  const now = useNow()
  const { save } = useSave(endSession, {
    optimistic: ({ params: { id } }) => removeItem<AccountSession>(SESSIONS, id),
    success: successToast('Signed out there.'),
    failure: END_FAILED,
  })
  const others = useSave(endOtherSessions, {
    success: successToast('All other browsers are signed out.'),
    failure: END_FAILED,
  })
  const hasOthers = query.data?.some(({ current }) => !current) ?? false
  return (
    <section className={styles.part} aria-labelledby={headingId}>
      <h3 id={headingId} tabIndex={-1}>
        Signed-in browsers
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
                      {session.address} · {`last seen ${when}`}
                    </p>
                  </div>
                  {session.current ? (
                    <Badge>This browser</Badge>
                  ) : (
                    <Button
                      look="danger"
                      data-of={session.id}
                      aria-label={`Sign out ${session.device}, last seen ${when}`}
                      onClick={() => {
                        document.getElementById(headingId)?.focus()
                        void save({ params: { id: session.id } })
                      }}
                    >
                      Sign out
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
          {others.pending ? 'Signing out...' : 'Sign out all other browsers'}
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

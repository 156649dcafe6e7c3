import { useSession } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ACCOUNT_WORDS } from './account-words.ts'
import { useLeave } from '../lib/guard.tsx'
import styles from './account-dialog.module.css'
import { PASSWORD_SCOPE, PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'
import { useId } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { useStatus } from '../lib/queries.ts'
import { useSteps, useStepsAway } from '../shell/use-first-steps.ts'

/** Brings the first steps back, or puts them away. */
function StepsSwitch() {
  const hintId = useId()
  const { data: status } = useStatus()
  const { save, pending, input } = useStepsAway()
  // Then there is no list to bring back.
  const allDone = useSteps()?.every(({ done }) => done) ?? false
  if (!status) return null
  const isAway = pending && input !== undefined ? input.body.away : status.firstStepsAway
  return (
    <div className={styles.part}>
      <Switch
        label={ACCOUNT_WORDS.showSteps}
        describedBy={hintId}
        checked={!isAway && !allDone}
        disabled={allDone}
        onChange={(shown) => !pending && void save({ body: { away: !shown } })}
      />
      <p id={hintId} className={styles.who}>
        {allDone ? ACCOUNT_WORDS.stepsAllDone : ACCOUNT_WORDS.showStepsHint}
      </p>
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
  const session = useSession()
  return (
    <Dialog
      open={open}
      title={ACCOUNT_WORDS.title}
      onClose={() => leave(onClose, PASSWORD_SCOPE)}
      closeOnOutside
      focusFirst={toPassword}
    >
      {session.status === 'in' && (
        <p className={styles.who}>{ACCOUNT_WORDS.signedInAs(session.user.username)}</p>
      )}
      <PasswordForm />
      <SessionList />
      <StepsSwitch />
    </Dialog>
  )
}

import { useSession } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ACCOUNT_WORDS } from './account-words.ts'
import { useLeave } from '../lib/guard.tsx'
import styles from './account-dialog.module.css'
import { PASSWORD_SCOPE, PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'
import { StepsSwitch } from './steps-switch.tsx'

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

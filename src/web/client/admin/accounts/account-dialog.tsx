import { useSession } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ACCOUNT_WORDS } from '../admin-constants.ts'
import { useLeave } from '../lib/guard.tsx'
import styles from './account-dialog.module.css'
import { PASSWORD_SCOPE, PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

/** The account: password, and the browsers that are signed in. */
export function AccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { leave } = useLeave()
  const session = useSession()
  return (
    <Dialog
      open={open}
      title={ACCOUNT_WORDS.title}
      onClose={() => leave(onClose, PASSWORD_SCOPE)}
      closeOnOutside
    >
      {session.status === 'in' && (
        <p className={styles.who}>{ACCOUNT_WORDS.signedInAs(session.user.username)}</p>
      )}
      <PasswordForm />
      <SessionList />
    </Dialog>
  )
}

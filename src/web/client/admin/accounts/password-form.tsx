import { useId, useState } from 'react'
import { changePassword } from '#web/contract/addresses.ts'
import { limits } from '#web/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { ACCOUNT_WORDS } from './account-words.ts'
import { FormAlert } from '../form/banner.tsx'
import { PasswordField } from '../form/password-field.tsx'
import { alertOf } from '../lib/failure.ts'
import { useFieldErrors } from '../lib/use-field-errors.ts'
import { useGuard } from '../lib/guard.tsx'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useSession } from '../../lib/session.ts'
import styles from './account-dialog.module.css'

export const PASSWORD_SCOPE = 'password'

const SHOWN = ['currentPassword', 'newPassword'] as const

/** Changes the password; all other sessions end. A password is never kept as a draft. */
export function PasswordForm() {
  const headingId = useId()
  const session = useSession()
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const [asked, setAsked] = useState(false)
  const { save, pending, failure } = useSave(changePassword, {
    refetch: [KEYS.status, KEYS.sessions, KEYS.activity],
    success: ACCOUNT_WORDS.changed,
    failure: ACCOUNT_WORDS.changeFailed,
  })
  const clear = (): void => {
    setCurrent('')
    setFresh('')
    setAsked(false)
  }
  useGuard(PASSWORD_SCOPE, current !== '' || fresh !== '', clear)
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
      <h3 id={headingId}>{ACCOUNT_WORDS.password}</h3>
      {/* Tells password managers whose password this is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={session.status === 'in' ? session.user.username : ''}
        readOnly
        hidden
      />
      <FormAlert>{alertOf(failure, SHOWN, 0)}</FormAlert>
      <PasswordField
        label={ACCOUNT_WORDS.current}
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={asked && current === '' ? ACCOUNT_WORDS.currentMissing : errors['currentPassword']}
      />
      <PasswordField
        label={ACCOUNT_WORDS.new}
        autoComplete="new-password"
        hint={ACCOUNT_WORDS.newHint}
        maxLength={limits.maxPassword}
        value={fresh}
        onChange={setFresh}
        error={asked && fresh === '' ? ACCOUNT_WORDS.newMissing : errors['newPassword']}
      />
      <Button type="submit" busy={pending}>
        {pending ? ACCOUNT_WORDS.changing : ACCOUNT_WORDS.change}
      </Button>
    </form>
  )
}

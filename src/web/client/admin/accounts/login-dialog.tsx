import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reopenChanges } from '../../lib/changes.ts'
import { askSession, setUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
// The messages' own chunk: without a connection there would be none to tell of the failure.
import '../../ui/toast.tsx'
import { adminEntry } from '../../ui/give-focus-back.ts'
import { fetchToasts } from '../../ui/toaster.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { ADMIN_WORDS, failureToast } from '../admin-constants.ts'
import { FormAlert } from '../form/banner.tsx'
import { PasswordField } from '../form/password-field.tsx'
import { TextField } from '../form/text-fields.tsx'
import { draftNames } from '../lib/drafts.ts'
import { sentenceOf } from '../lib/failure.ts'
import styles from './login-dialog.module.css'
import { login } from '#web/contract/addresses.ts'
import type { User } from '#web/contract/accounts.ts'
import { ApiError, call } from '../../lib/api.ts'

void fetchToasts()

type LoginDialogProps = {
  open: boolean
  /** it stands above the dashboard, whose session has ended */
  ended?: boolean
  /** Cancel, Escape, the close button */
  onClose: () => void
  /** the login worked: take the dialog away */
  onSuccess?: (() => void) | undefined
  /** called 300 ms after the login, when the session was asked again: opens the dashboard */
  onOpenAdmin?: (() => void) | undefined
}

/** ms after a login until the session is asked for once more, and from then on until the dashboard opens */
const ASK_MS = 100
const OPEN_MS = 200

const HINT_AFTER = 3
const FAILED = failureToast('Invalid username or password', 'Login Failed')

/** Asks for username and password; stays open when they are refused. */
export default function LoginDialog({
  open,
  ended = false,
  onClose,
  onSuccess,
  onOpenAdmin,
}: LoginDialogProps) {
  const queries = useQueryClient()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({})
  const [reason, setReason] = useState<string | null>(null)
  const [failures, setFailures] = useState(0)
  const [pending, setPending] = useState(false)

  const submit = async (): Promise<void> => {
    if (pending) return
    const gaps = missingFields({ username, password })
    setMissing(gaps)
    if (gaps.username || gaps.password) return
    setPending(true)
    setReason(null)
    const result = await attemptLogin({ username, password })
    setPending(false)
    if (!result.ok) {
      setFailures((count) => count + 1)
      setReason(result.reason)
      showToast(FAILED)
      return
    }
    setUsername('')
    setPassword('')
    setFailures(0)
    onSuccess?.()
    setUser(queries, result.user)
    reopenChanges()
    showToast({ title: 'Login Successful', description: 'Welcome to the admin panel.' })
    setTimeout(() => {
      void askSession(queries)
      setTimeout(() => onOpenAdmin?.(), OPEN_MS)
    }, ASK_MS)
  }

  return (
    <Dialog
      open={open}
      title="Admin Login"
      size="narrow"
      small
      focusFirst
      returnFocus={adminEntry}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            {ADMIN_WORDS.cancel}
          </Button>
          <Button look="primary" type="submit" busy={pending}>
            {pending ? 'Logging in...' : 'Login'}
          </Button>
        </>
      }
    >
      {ended && (
        <p className={styles.kept}>
          Your session has ended. What you see and what you typed stays. Log in to go on.
        </p>
      )}
      {open && !ended && draftNames('').length > 0 && (
        <p className={styles.kept}>What you typed is kept. Log in, and it is offered to you again.</p>
      )}
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={username}
        onChange={setUsername}
        error={missing.username}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        error={missing.password}
      />
      <FormAlert>
        {navigator.cookieEnabled ? reason : 'Your browser keeps no cookies: allow them here.'}
      </FormAlert>
      {failures >= HINT_AFTER && (
        <p className={styles.hint}>
          Forgotten? Whoever runs the server sets a new one: atelier admin set-password (in a clone: npm run
          atelier -- admin set-password)
        </p>
      )}
    </Dialog>
  )
}

type Credentials = { username: string; password: string }

/** What to say at empty fields; an absent key is no complaint. */
export function missingFields({ username, password }: Credentials): { username?: string; password?: string } {
  return {
    ...(username.trim() === '' ? { username: 'Username is required' } : {}),
    ...(password === '' ? { password: 'Password is required' } : {}),
  }
}

export type LoginResult = { ok: true; user: User } | { ok: false; reason: string }

const WRONG = 401
const INCOMPLETE = 422

/**
 * Signs in. The toast of a failure is always the same; `reason` is the true one: wrong credentials, too many
 * attempts, no connection, a server that cannot answer. Never rejects.
 */
export async function attemptLogin(credentials: Credentials): Promise<LoginResult> {
  try {
    const { user } = await call(login, { body: credentials })
    return { ok: true, user }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The site cannot be reached, so your password could not be checked. Please look at the connection.'
  return error.status === WRONG || error.status === INCOMPLETE ? `${FAILED.description}.` : sentenceOf(error)
}

import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { whenInWords, useNow } from '../lib/in-words.ts'
import type { Draft } from '../lib/drafts.ts'
import type { LeaveQuestion } from '../lib/guard.tsx'
import type { EntityForm } from '../lib/use-entity-form.ts'
import { LosingButton } from './losing-button.tsx'
import styles from './banner.module.css'

type BannerProps = {
  children: ReactNode
  actions?: ReactNode
  tone?: 'quiet' | 'urgent'
  className?: string | undefined
}

/** A sentence with what can be done about it. It never blocks. */
export function Banner({ children, actions, tone = 'quiet', className }: BannerProps) {
  return (
    <div
      className={classNames(styles.banner, className)}
      role={tone === 'urgent' ? 'alert' : 'status'}
      data-tone={tone}
    >
      <p>{children}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

type DraftBannerProps<T> = {
  draft: Draft<T> | null
  /** what it is a draft of, where that is not plain from the place, e.g. a title */
  of?: string | null
  onRestore: (value: T) => void
  onDiscard: () => void
}

const DISCARD_DRAFT: LeaveQuestion = {
  title: 'Discard the draft?',
  text: 'What was typed there goes for good.',
  stay: 'Keep the draft',
  go: 'Discard draft',
}

/** Offers what an earlier visit left unsaved. Nothing when there is no draft. */
export function DraftBanner<T>({ draft, of = null, onRestore, onDiscard }: DraftBannerProps<T>) {
  const now = useNow()
  if (!draft) return null
  return (
    <Banner
      actions={
        <>
          <LosingButton key={draft.savedAt} of={draft.savedAt} question={DISCARD_DRAFT} onLose={onDiscard}>
            {ADMIN_WORDS.discard}
          </LosingButton>
          <Button data-of={draft.savedAt} onClick={() => onRestore(draft.value)}>
            Restore
          </Button>
        </>
      }
    >
      {`A draft ${of === null ? '' : `of “${of}” `}from ${whenInWords(draft.savedAt, now)} was not saved.`}
    </Banner>
  )
}

export type ConflictNoticeProps<T extends object> = {
  form: Pick<EntityForm<T>, 'undecided' | 'keepMine' | 'takeSaved'>
  labelOf: (key: keyof T) => string
  /** a value as it is read */
  inWords: <K extends keyof T>(key: K, value: T[K]) => string
  onTakeSaved?: (() => void) | undefined
}

const TAKE_SAVED: LeaveQuestion = {
  title: 'Take the saved one?',
  text: 'What you typed in its place goes for good.',
  stay: 'Not yet',
  go: 'Take the saved one',
}

/** Both values of every field that was changed meanwhile, and the choice between them. Nothing where there is none. */
export function ConflictNotice<T extends object>(props: ConflictNoticeProps<T>) {
  const { form, labelOf, inWords, onTakeSaved = form.takeSaved } = props
  if (form.undecided.length === 0) return null
  return (
    <div className={classNames(styles.banner, styles.conflict)} role="alert">
      <p>This was changed meanwhile, in another tab or on another device.</p>
      {form.undecided.map(({ key, mine, saved }) => (
        <div key={String(key)} className={styles.field}>
          <h4>{labelOf(key)}</h4>
          <dl>
            <div>
              <dt>Yours</dt>
              <dd>{inWords(key, mine) || <i>empty</i>}</dd>
            </div>
            <div>
              <dt>Saved now</dt>
              <dd>{inWords(key, saved) || <i>empty</i>}</dd>
            </div>
          </dl>
        </div>
      ))}
      <div className={styles.actions}>
        <Button onClick={form.keepMine}>Keep mine</Button>
        <LosingButton question={TAKE_SAVED} onLose={onTakeSaved}>
          Take the saved one
        </LosingButton>
      </div>
    </div>
  )
}

/** The reason of a failed save, inside the form that failed; the toast alone would pass by. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={styles.alertPlace}>
      {children ? <p className={styles.alert}>{children}</p> : null}
    </div>
  )
}

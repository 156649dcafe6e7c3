import { type ReactNode, useRef } from 'react'
import { isUnauthorized } from '../lib/failure.ts'
import { useFocusWhenGone } from '../lib/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import * as WORDS from '../../lib/words.ts'
import { sessionEnded } from '../lib/session-end.ts'
import styles from './list-state.module.css'

/** The part of a query's result that a list needs. */
export type QueryLike<T> = {
  data: T | undefined
  isError: boolean
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

type ListStateProps<T> = {
  query: QueryLike<T>
  children: (data: T) => ReactNode
}

/** The data of a query, or what stands in its place: the loading words, or the failure with the way out of it. */
export function ListState<T>({ query, children }: ListStateProps<T>) {
  const loading = useRef<HTMLParagraphElement>(null)
  useFocusWhenGone(
    query.isError,
    () => loading.current?.closest<HTMLElement>('[role="tabpanel"], [role="dialog"]') ?? null,
  )
  if (query.data !== undefined) return children(query.data)
  if (isUnauthorized(query.error)) {
    return (
      <Notice text={ADMIN_WORDS.loggedOut} hint="Log in again to go on; what you typed is kept." role="alert">
        <Button onClick={() => sessionEnded()}>Log in again</Button>
      </Notice>
    )
  }
  if (query.isError) {
    return (
      <Notice text="This could not be loaded." hint="Perhaps the connection was lost." role="alert">
        <Button busy={query.isFetching} onClick={() => query.refetch()}>
          {ADMIN_WORDS.retry}
        </Button>
      </Notice>
    )
  }
  return (
    <p ref={loading} role="status" className={styles.loading}>
      {WORDS.loading}
    </p>
  )
}

/** What stands where a list is empty. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {children}
    </div>
  )
}

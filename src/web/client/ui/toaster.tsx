import { lazy, Suspense, useSyncExternalStore } from 'react'
import { onToasts, toasts } from './toast-store.ts'

const ToastViewport = lazy(() => import('./toast.tsx'))

const none: ReturnType<typeof toasts> = []

/** Where messages appear. Mounts with the first of them, so that a visitor without one loads nothing (decisions 98). */
export function Toaster() {
  const entries = useSyncExternalStore(onToasts, toasts, () => none)
  if (entries.length === 0) return null
  return (
    <Suspense>
      <ToastViewport entries={entries} />
    </Suspense>
  )
}

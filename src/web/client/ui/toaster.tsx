import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Quiet } from './quiet.tsx'
import { onToasts, toasts } from './toast-store.ts'

type Entries = ReturnType<typeof toasts>

const load = () => import('./toast.tsx')

/**
 * Fetches what draws messages before there is one, e.g. when somebody begins to write a letter: by the time it is
 * sent the connection may be gone, and that has to be said. Never rejects.
 */
export async function fetchToasts(): Promise<void> {
  try {
    await load()
  } catch (error) {
    console.warn('Fetching ahead failed', error)
  }
}

/** Without a connection the messages' own chunk may not come: then they are read out, and forms say them in place. */
const ToastViewport = lazy(async () => {
  try {
    return await load()
  } catch (error) {
    console.warn('Messages cannot be drawn', error)
    return { default: ReadOut }
  }
})

function ReadOut({ entries }: { entries: Entries }) {
  return (
    <div role="alert">
      {entries.map(
        ({ id, open, title, description }) => open && <Quiet key={id}>{`${title}: ${description}`}</Quiet>,
      )}
    </div>
  )
}

const none: Entries = []

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

import { type ComponentType, lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Quiet } from './quiet.tsx'
import { onToasts, toasts } from './toast-store.ts'

type Entries = ReturnType<typeof toasts>

type Drawing = ComponentType<{ entries: Entries }>

/** What draws messages, once it is here, and who wants to know. */
let drawing: Drawing | null = null
const waiting = new Set<() => void>()
const onDrawing = (listener: () => void): (() => void) => {
  waiting.add(listener)
  return () => waiting.delete(listener)
}

async function load(): Promise<{ default: Drawing }> {
  const loaded = await import('./toast.tsx')
  drawing = loaded.default
  for (const listener of waiting) listener()
  return loaded
}

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

/**
 * Without a connection the messages' own chunk may not come: then they are read out, and forms say them in place. The
 * next message asks for it once more.
 */
const FetchedFirst: Drawing = lazy(async () => {
  try {
    return await load()
  } catch (error) {
    console.warn('Messages cannot be drawn', error)
    return { default: ReadOut }
  }
})

function ReadOut({ entries }: { entries: Entries }) {
  const newest = entries[0]?.id
  const [unseen] = useState(newest)
  useEffect(() => {
    if (newest !== unseen) void fetchToasts()
  }, [newest, unseen])
  const Drawn = drawing
  if (Drawn) return <Drawn entries={entries} />
  return (
    <div role="alert">
      {entries.map(
        ({ id, open, title, description }) => open && <Quiet key={id}>{`${title}: ${description}`}</Quiet>,
      )}
    </div>
  )
}

const none: Entries = []

/**
 * Where messages appear. Mounts when what draws them was fetched, at the latest with the first of them, so that a
 * visitor without one loads nothing. Mounted before, it shows the first one in one go: React shows
 * late what it had to wait for, and the way to the login begins 500 ms after the message that tells of it.
 */
export function Toaster() {
  const entries = useSyncExternalStore(onToasts, toasts, () => none)
  const isHere = useSyncExternalStore(
    onDrawing,
    () => drawing !== null,
    () => false,
  )
  return isHere || entries.length > 0 ? <Messages entries={entries} /> : null
}

function Messages({ entries }: { entries: Entries }) {
  const [Drawn] = useState<Drawing>(() => drawing ?? FetchedFirst)
  return (
    <Suspense>
      <Drawn entries={entries} />
    </Suspense>
  )
}

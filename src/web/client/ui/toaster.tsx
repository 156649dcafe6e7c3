import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'
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

/**
 * Fetches what draws messages before there is one, e.g. when somebody begins to write a letter: by the time it is
 * sent the connection may be gone, and that has to be said. Never rejects: without a connection it may not come, then
 * messages are read out, and forms say them in place.
 */
export async function fetchToasts(): Promise<void> {
  try {
    drawing = (await import('./toast.tsx')).default
  } catch (error) {
    console.warn(error)
    drawing ??= ReadOut
  }
  for (const listener of waiting) listener()
}

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

/**
 * Where messages appear. Asks for what draws them with each, so that a visitor without one loads nothing, and what did
 * not come is there for the next. Mounted before the first, it shows that in one go: the way to the login begins 500 ms
 * after the message that tells of it.
 */
export function Toaster() {
  const entries = useSyncExternalStore(onToasts, toasts, () => none)
  const drawn = useSyncExternalStore(
    onDrawing,
    () => drawing,
    () => null,
  )
  const newest = entries[0]?.id
  useEffect(() => {
    if (newest !== undefined) void fetchToasts()
  }, [newest])
  return drawn && createElement(drawn, { entries })
}

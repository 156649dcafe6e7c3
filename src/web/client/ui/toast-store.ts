import type { ToastText } from '../lib/constants.ts'

/** What can be done about a message while it stands: a word on its button, and what the button does. */
export type ToastAction = { label: string; run: () => void }

/** A message on its way in, on screen, or dismissed and only kept in memory. */
export type ToastEntry = ToastText & {
  id: number
  open: boolean
  action?: ToastAction
  /** it came to the place of one that stood there */
  replaces: boolean
}

type Listener = () => void

let entries: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<Listener>()

function change(next: readonly ToastEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

/** Shows a message; at most one stands on screen, so an older one gives way. */
export function showToast(text: ToastText, action: ToastAction | null = null): void {
  lastId += 1
  const entry = {
    ...text,
    id: lastId,
    open: true,
    replaces: entries[0]?.open ?? false,
    ...(action && { action }),
  }
  change([entry, ...entries].slice(0, 1))
}

/** ms that a dismissed message stays in memory */
const KEPT_MS = 1_000_000

/** Takes a message off the screen; it leaves memory much later. */
export function dismissToast(id: number): void {
  change(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
  setTimeout(() => change(entries.filter((entry) => entry.id !== id)), KEPT_MS)
}

export function toasts(): readonly ToastEntry[] {
  return entries
}

/** Calls `listener` after every change; gives the way to stop it. */
export function onToasts(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

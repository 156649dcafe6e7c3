import { useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from './use-latest.ts'
import { TABS, type TabId } from '../admin-constants.ts'

/**
 * What was typed and not saved waits in this browser, by the name of its form. While an earlier draft of that name waits to
 * be decided about, or another tab types one, what is typed goes into a slot of its own, `name~time`.
 */

export type Draft<T> = { savedAt: string; value: T }
/** @property slot what it is kept as, for `dropDraft` */
export type FoundDraft<T> = Draft<T> & { slot: string }

const keyOf = (slot: string): string => `atelier.draft.${slot}`
const nameOf = (slot: string): string => slot.split('~')[0] ?? slot

/** Keeps a draft; a browser that refuses (private mode, full) only costs the offer after a crash. */
export function keepDraft(slot: string, value: unknown, now: Date): void {
  try {
    localStorage.setItem(keyOf(slot), JSON.stringify({ savedAt: now.toISOString(), value }))
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}

/** What is kept in a slot; null when it is being saved, when there is nothing or it cannot be read. */
function draftIn<T>(slot: string): FoundDraft<T> | null {
  const text = underWay.has(slot) ? null : localStorage.getItem(keyOf(slot))
  const draft: unknown = text === null ? null : JSON.parse(text)
  if (typeof draft !== 'object' || draft === null || !('value' in draft) || !('savedAt' in draft)) return null
  if (typeof draft.savedAt !== 'string') return null
  // Written under this name only by keepDraft, with the form's own edits.
  return { slot, savedAt: draft.savedAt, value: draft.value as T }
}

/** Whether anything stands in a slot, also what is being saved. */
function isTaken(slot: string): boolean {
  try {
    return localStorage.getItem(keyOf(slot)) !== null
  } catch {
    // Nothing can be kept there either, which `keepDraft` tells.
    return false
  }
}

const slots = (): readonly string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(keyOf('')))
    .map((key) => key.slice(keyOf('').length))

/**
 * The newest draft of that name; null when there is none or it cannot be read.
 * @param but a slot that is not meant: what is being typed
 */
export function draftOf<T>(name: string, but?: string): FoundDraft<T> | null {
  try {
    const found = slots().flatMap((slot) =>
      nameOf(slot) === name && slot !== but ? (draftIn<T>(slot) ?? []) : [],
    )
    return found.toSorted((one, other) => other.savedAt.localeCompare(one.savedAt))[0] ?? null
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

export function dropDraft(slot: string): void {
  try {
    localStorage.removeItem(keyOf(slot))
  } catch (error) {
    console.warn('The draft could not be dropped', error)
  }
  tell()
}

const listeners = new Set<() => void>()
const tell = (): void => {
  for (const hear of listeners) hear()
}

/** Calls `hear` when a draft is dropped, or what was being saved is offered again; gives the way to end that. */
export function onDraftsChanged(hear: () => void): () => void {
  listeners.add(hear)
  return () => listeners.delete(hear)
}

/** Slots whose text is being saved: it is not offered meanwhile. */
const underWay = new Set<string>()

/** What is in that slot is being saved, until the returned function is called. */
export function saveDraft(slot: string): () => void {
  underWay.add(slot)
  return () => {
    underWay.delete(slot)
    tell()
  }
}

/** The names of the drafts that begin with `prefix`, e.g. those of all artworks. */
export function draftNames(prefix: string): readonly string[] {
  try {
    return [...new Set(slots().map(nameOf))].filter((name) => name.startsWith(prefix)).toSorted()
  } catch (error) {
    console.warn('The drafts could not be read', error)
    return []
  }
}

type KeptDraft<T> = {
  /** what an earlier visit left behind, to be offered with `DraftBanner`; null when nothing is, or it was decided */
  offered: Draft<T> | null
  /**
   * The offer or what was put aside is in the form now; of what was typed, what it took the place of is offered instead,
   * if anything.
   */
  settle: (taken: T, instead: T | null) => void
  /** the offer is not wanted */
  refuse: () => void
  /** forgets what was typed: after a save, or when she discards. An offer that was not decided stays */
  drop: () => void
  /** what she discarded in this visit; `offered` is something else */
  aside: Draft<T> | null
  /** keeps what is unsaved as a draft and offers it as `aside`; empty the form then */
  putAside: () => void
  /** what was put aside is not wanted */
  forget: () => void
  /** writes what is left of it after a save */
  keep: (left: T) => unknown
  /** what was typed is being saved, until the returned function is called */
  save: () => () => void
}

const WRITE_AFTER_MS = 250

/**
 * Says to the other tabs of this browser that the draft is being typed here, until the returned function is called.
 * Without Web Locks (an insecure origin) nobody hears of it.
 * @param onTaken another tab types it
 */
function holdDraft(name: string, onTaken: () => void): () => void {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const hold = (lock: Lock | null) => {
    if (lock !== null) return ended
    onTaken()
    return navigator.locks.request(keyOf(name), () => ended)
  }
  if ('locks' in navigator)
    navigator.locks.request(keyOf(name), { ifAvailable: true }, hold).catch(console.warn)
  return end
}

/**
 * Looks whether another tab types this draft: then nothing is to be offered until that one has let go of it.
 * @param withdraw one does
 * @param offer it has let go
 * @returns ends the waiting
 */
export function offerLater(name: string, withdraw: () => void, offer: () => void): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  const wait = async (): Promise<void> => {
    // Not by asking for the lock: whoever begins to type here meanwhile would take it for another tab's.
    const { held = [] } = await navigator.locks.query()
    const isFree = held.every((lock) => lock.name !== keyOf(name))
    if (isFree || signal.aborted) return
    withdraw()
    await navigator.locks.request(keyOf(name), { signal }, offer)
  }
  if ('locks' in navigator && draftOf(name) !== null)
    wait().catch((error: unknown) => {
      if (!signal.aborted) console.warn('Whether the draft is in use could not be told', error)
    })
  return () => waiting.abort()
}

/**
 * Keeps a form's unsaved text in the browser while it is edited, and offers what an earlier visit left.
 * @param name one per form and record, e.g. `content` or `artwork.<id>`
 * @param value what to keep; null while nothing is unsaved. Pass the same object while nothing changes
 */
export function useDraft<T>(name: string, value: T | null): KeptDraft<T> {
  const [offered, setOffered] = useState(() => draftOf<T>(name))
  const [aside, setAside] = useState<FoundDraft<T> | null>(null)
  const latest = useLatest(value)
  /** where what is typed here is kept: never over a draft that is not decided yet, or that another tab types */
  const own = useRef(name)
  /** a draft of this visit was written: only then may an untouched form drop it */
  const touched = useRef(false)
  const typeBeside = useCallback(() => {
    if (own.current === name || !touched.current) own.current = `${name}~${Date.now()}`
  }, [name])
  /** what was given up: it must not be written again while the form is still about to close */
  const dropped = useRef<T | null>(null)

  /** Keeps this as what is typed here; gives its slot. */
  const keep = useCallback(
    (now: T, at = new Date()): string => {
      if (!touched.current && isTaken(own.current)) typeBeside()
      touched.current = true
      keepDraft(own.current, now, at)
      return own.current
    },
    [typeBeside],
  )
  /** Forgets what was typed here, and nothing else that stands in its place. */
  const dropOwn = useCallback(() => {
    if (touched.current) dropDraft(own.current)
    touched.current = false
  }, [])

  const write = useCallback(() => {
    const now = latest.current
    if (now === null) dropOwn()
    else if (now !== dropped.current) keep(now)
  }, [latest, keep, dropOwn])

  useEffect(() => {
    if (value === null) {
      write()
      return
    }
    const timer = setTimeout(write, WRITE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value, write])

  useEffect(() => {
    const flush = (): void => {
      if (latest.current !== null) write()
    }
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [write, latest])

  useEffect(
    () =>
      offerLater(
        name,
        () => setOffered(null),
        () => setOffered(draftOf<T>(name, own.current)),
      ),
    [name],
  )

  useEffect(
    () =>
      // One that was saved or dropped elsewhere is offered no more.
      onDraftsChanged(() =>
        setOffered((before) => (before && draftIn(before.slot) ? before : draftOf<T>(name, own.current))),
      ),
    [name],
  )

  const isTyped = value !== null
  useEffect(() => {
    if (!isTyped) return undefined
    return holdDraft(name, typeBeside)
  }, [name, isTyped, typeBeside])

  const refuse = useCallback(() => {
    if (offered) dropDraft(offered.slot)
    setOffered(draftOf<T>(name, own.current))
  }, [name, offered])
  const forget = useCallback(() => {
    if (aside) dropDraft(aside.slot)
    setAside(null)
  }, [aside])
  const settle = useCallback(
    (taken: T, instead: T | null) => {
      const from = [offered, aside].find((draft) => draft?.value === taken)
      if (!from) return
      // What else was typed stands in the form with it, and both are kept where it was.
      if (instead === null) dropOwn()
      else keep(instead)
      own.current = from.slot
      touched.current = true
      if (from === aside) setAside(null)
      setOffered(draftOf<T>(name, from.slot))
    },
    [name, offered, aside, keep, dropOwn],
  )
  const drop = useCallback(() => {
    dropped.current = latest.current
    dropOwn()
  }, [latest, dropOwn])
  const putAside = useCallback(() => {
    const now = latest.current
    if (now === null) return
    const at = new Date()
    const slot = keep(now, at)
    // Written already; the form that is emptied now must not write it again.
    dropped.current = now
    touched.current = false
    typeBeside()
    setAside({ slot, savedAt: at.toISOString(), value: now })
  }, [latest, keep, typeBeside])
  const save = useCallback(() => saveDraft(own.current), [])
  return { offered, settle, refuse, drop, aside, putAside, forget, keep, save }
}

const KEY = 'atelier.tab'

/** The tab that was open last in this browser tab, so that a reload or a new login leads back to it. */
export function rememberedTab(): TabId {
  const name = storage()?.getItem(KEY)
  return TABS.find(({ id }) => id === name)?.id ?? 'content'
}

export function rememberTab(id: TabId): void {
  storage()?.setItem(KEY, id)
}

/** Null where the browser refuses to keep anything: then nothing is remembered, and all else works. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from './use-latest.ts'
import { TABS, type TabId } from '../admin-constants.ts'

/** What was typed and not saved waits in this browser. One draft a form, by name. */

export type Draft<T> = { savedAt: string; value: T }

const keyOf = (name: string): string => `atelier.draft.${name}`

/** Keeps a draft; a browser that refuses (private mode, full) only costs the offer after a crash. */
export function keepDraft(name: string, value: unknown, now: Date): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify({ savedAt: now.toISOString(), value }))
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}

/** The draft of that name; null when there is none or it cannot be read. */
export function draftOf<T>(name: string): Draft<T> | null {
  try {
    const text = localStorage.getItem(keyOf(name))
    const draft: unknown = text === null ? null : JSON.parse(text)
    if (typeof draft !== 'object' || draft === null || !('value' in draft) || !('savedAt' in draft))
      return null
    if (typeof draft.savedAt !== 'string') return null
    // Written under this name only by keepDraft, with the form's own edits.
    return { savedAt: draft.savedAt, value: draft.value as T }
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

export function dropDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name))
  } catch (error) {
    console.warn('The draft could not be dropped', error)
  }
}

/** The names of the drafts that begin with `prefix`, e.g. those of all artworks. */
export function draftNames(prefix: string): readonly string[] {
  try {
    const begin = keyOf(prefix)
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(begin))
      .map((key) => key.slice(keyOf('').length))
      .toSorted()
  } catch (error) {
    console.warn('The drafts could not be read', error)
    return []
  }
}

type KeptDraft<T> = {
  /** what an earlier visit left behind, to be offered with `DraftBanner`; null when nothing is, or it was decided */
  offered: Draft<T> | null
  /** the offer was taken (put `offered.value` into the form) or is no longer wanted */
  settle: () => void
  /** forgets the draft and the offer: after a save, or when she discards */
  drop: () => void
  /** what she discarded in this visit; `offered` is something else */
  aside: Draft<T> | null
  /** keeps what is unsaved as a draft and offers it as `aside`; empty the form then */
  putAside: () => void
}

const WRITE_AFTER_MS = 250

/**
 * Says to the other tabs of this browser that the draft is being typed here, until the returned function is called.
 * Without Web Locks (an insecure origin) nobody hears of it.
 */
function holdDraft(name: string): () => void {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  if ('locks' in navigator) navigator.locks.request(keyOf(name), () => ended).catch(console.warn)
  return end
}

/**
 * Looks whether another tab types this draft: then nothing is to be offered until that one has let go of it.
 * @returns ends the waiting
 */
function offerLater(name: string, withdraw: () => void, offer: () => void): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  const wait = async (): Promise<void> => {
    const isFree = await navigator.locks.request(keyOf(name), { ifAvailable: true }, (lock) => lock !== null)
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
  const [offered, setOffered] = useState<Draft<T> | null>(() => draftOf<T>(name))
  const [aside, setAside] = useState<Draft<T> | null>(null)
  const latest = useLatest(value)
  const waiting = useLatest(aside)
  /** a draft of this visit was written: only then may an untouched form drop it, an offered one waits */
  const touched = useRef(false)
  /** what was given up: it must not be written again while the form is still about to close */
  const dropped = useRef<T | null>(null)

  const write = useCallback(() => {
    const now = latest.current
    if (now === null) {
      // Typed again and taken back by hand: what was discarded before is still offered.
      if (touched.current && waiting.current)
        keepDraft(name, waiting.current.value, new Date(waiting.current.savedAt))
      else if (touched.current) dropDraft(name)
    } else if (now !== dropped.current) {
      touched.current = true
      keepDraft(name, now, new Date())
    }
  }, [name, latest, waiting])

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

  const isTyped = value !== null
  useEffect(() => (isTyped ? holdDraft(name) : undefined), [name, isTyped])
  useEffect(
    () =>
      offerLater(
        name,
        () => setOffered(null),
        // Not over what was typed here meanwhile.
        () => !touched.current && setOffered(draftOf<T>(name)),
      ),
    [name],
  )

  const settle = useCallback(() => {
    setOffered(null)
    setAside(null)
  }, [])
  const drop = useCallback(() => {
    const now = latest.current
    dropped.current = now
    dropDraft(name)
    setOffered(null)
    setAside(null)
  }, [name, latest])
  const putAside = useCallback(() => {
    const now = latest.current
    if (now === null) return
    const at = new Date()
    keepDraft(name, now, at)
    // Written already; the form that is emptied now must not drop it.
    dropped.current = now
    touched.current = false
    setOffered(null)
    setAside({ savedAt: at.toISOString(), value: now })
  }, [name, latest])
  return { offered, settle, drop, aside, putAside }
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

import { useCallback, useEffect, useRef, useState } from 'react'
import {
  type Draft,
  type FoundDraft,
  draftIn,
  draftOf,
  dropDraft,
  holdDraft,
  isTaken,
  keepDraft,
  offerLater,
  onDraftsChanged,
  saveDraft,
} from './drafts.ts'
import { useLatest } from './use-latest.ts'

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
        () => setOffered(draftOf<T>(name, touched.current ? own.current : undefined)),
      ),
    [name],
  )

  useEffect(
    () =>
      // One that was saved or dropped elsewhere is offered no more.
      onDraftsChanged(() =>
        setOffered((before) =>
          before && draftIn(before.slot)
            ? before
            : draftOf<T>(name, touched.current ? own.current : undefined),
        ),
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
    setOffered(draftOf<T>(name, touched.current ? own.current : undefined))
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

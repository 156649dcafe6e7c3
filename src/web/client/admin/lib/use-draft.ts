import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Draft,
  draftIn,
  dropDraft,
  type FoundDraft,
  holdDraft,
  offerLater,
  onDraftsChanged,
} from './drafts.ts'
import { createOwnSlot } from './own-slot.ts'
import { useLatest } from './use-latest.ts'

type KeptDraft<T> = {
  /** what an earlier visit left behind, to be offered with `DraftBanner`; null when nothing is, or it was decided */
  offered: Draft<T> | null
  /** the offer or what was put aside is in the form now; `instead` is what it took the place of */
  settle: (taken: T, instead: T | null) => void
  /** the offer is not wanted */
  refuse: () => void
  /** forgets what was typed; an offer that was not decided stays */
  drop: () => void
  /** what she discarded in this visit; `offered` is something else */
  aside: Draft<T> | null
  /** keeps what is unsaved as a draft and offers it as `aside`; empty the form then */
  putAside: () => void
  /** what was put aside is not wanted */
  forget: () => void
  /** writes what is left of it after a save */
  keep: (left: T) => unknown
  /** notes with what is typed that this is sent of it */
  noteSent: (sent: unknown) => void
  /** what was noted so, also by an earlier page whose draft is in the form */
  sent: () => unknown
  /** see `withholdDraft` */
  withhold: () => () => void
}

const WRITE_AFTER_MS = 250

/**
 * A form's draft: what is typed, and what is offered (ARCHITECTURE, "What is typed and not saved").
 * @param name one per form and record, e.g. `content` or `artwork.<id>`; with another one the form has gone on to that
 * record, whose draft is what is unsaved from then on
 * @param value what to keep; null while nothing is unsaved. Pass the same object while nothing changes
 */
export function useDraft<T>(name: string, value: T | null): KeptDraft<T> {
  const own = useMemo(() => createOwnSlot<T>(name), [name])
  const [offered, setOffered] = useState(() => own.others(null))
  const [offeredOf, setOfferedOf] = useState(name)
  if (offeredOf !== name) {
    setOfferedOf(name)
    setOffered(own.others(null))
  }
  const [aside, setAside] = useState<FoundDraft<T> | null>(null)
  const latest = useLatest(value)
  const waiting = useLatest(aside)
  /** what was given up: it must not be written again while the form is still about to close */
  const dropped = useRef<T | null>(null)

  const place = useLatest(own)
  const write = useCallback(() => {
    const now = latest.current
    if (now === null) place.current.drop()
    else if (now !== dropped.current) place.current.keep(now)
  }, [place, latest])

  const due = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (value === null) write()
    // No key puts it off: whoever types without a pause loses no more than that with the tab.
    else
      due.current ??= setTimeout(() => {
        due.current = undefined
        write()
      }, WRITE_AFTER_MS)
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
      clearTimeout(due.current)
      due.current = undefined
      flush()
    }
  }, [write, latest])

  const offerNext = useCallback(() => setOffered(own.others(waiting.current?.slot ?? null)), [own, waiting])
  useEffect(() => offerLater(name, () => setOffered(null), offerNext), [name, offerNext])
  const offeredNow = useLatest(offered)
  useEffect(
    () =>
      // One that was saved or dropped elsewhere is offered no more; one is whose save of an earlier visit has failed.
      onDraftsChanged((again) => {
        const { current } = offeredNow
        if (current === null ? own.others(null)?.slot === again : draftIn(current.slot) === null) offerNext()
      }),
    [own, offeredNow, offerNext],
  )

  const isTyped = value !== null
  useEffect(() => {
    if (!isTyped) return undefined
    return holdDraft(name, own.giveWay)
  }, [name, isTyped, own])

  const refuse = useCallback(() => {
    if (offered) dropDraft(offered.slot)
    offerNext()
  }, [offered, offerNext])
  const forget = useCallback(() => {
    if (aside) dropDraft(aside.slot)
    setAside(null)
  }, [aside])
  const settle = useCallback(
    (taken: T, instead: T | null) => {
      const from = [offered, aside].find((draft) => draft?.value === taken)
      if (!from) return
      // What else was typed stands in the form with it, and both are kept where it was.
      if (instead === null) own.drop()
      else own.keep(instead)
      own.take(from.slot)
      if (from === aside) setAside(null)
      setOffered(own.others(from === aside ? null : (aside?.slot ?? null)))
    },
    [own, offered, aside],
  )
  const drop = useCallback(() => {
    dropped.current = latest.current
    own.drop()
  }, [own, latest])
  const putAside = useCallback(() => {
    const now = latest.current
    if (now === null) return
    const at = new Date()
    const slot = own.keep(now, at)
    // Written already; the form that is emptied now must not write it again.
    dropped.current = now
    own.leave()
    setAside({ slot, savedAt: at.toISOString(), value: now })
  }, [own, latest])
  const { keep, sent, withhold } = own
  const noteSent = useCallback(
    (what: unknown) => {
      if (latest.current !== null) own.noteSent(latest.current, what)
    },
    [own, latest],
  )
  return { offered, settle, refuse, drop, aside, putAside, forget, keep, noteSent, sent, withhold }
}

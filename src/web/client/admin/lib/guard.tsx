import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isAnythingUnderWay } from './under-way.ts'
import { useLatest } from './use-latest.ts'

export type LeaveQuestion = { title: string; text: string; stay: string; go: string }

type GuardedForm = {
  /** which part asks before it closes, e.g. `content` or `artwork` */
  scope: string
  isDirty: () => boolean
  /** what is asked before it is left; undefined: whether its unsaved changes may be discarded */
  question: () => LeaveQuestion | undefined
  /** gives what is called when she decides to leave: it forgets the changes and their draft */
  leaving: () => () => void
}

/** Outside of React, so that `releaseGuards` reaches them from anywhere. */
const forms = new Set<GuardedForm>()
/** called when one of them has nothing unsaved any more, or is gone */
const lookers = new Set<() => void>()
let released = false

/** Adds a form; gives the way to take it out. */
function addForm(form: GuardedForm): () => void {
  forms.add(form)
  return () => forms.delete(form)
}

function tellClean(): void {
  for (const look of lookers) look()
}

/** The forms with unsaved changes, all of them or those of one scope. */
function dirtyForms(scope?: string): readonly GuardedForm[] {
  if (released) return []
  return [...forms].filter((form) => (scope === undefined || form.scope === scope) && form.isDirty())
}

/** ms after which a page that still stands is not being left: its way was broken off, or led to nothing */
const LEFT_MS = 10_000

/** From now on nothing asks any more: the page is being left for the login, and drafts are kept. */
export function releaseGuards(): void {
  released = true
  setTimeout(holdGuards, LEFT_MS)
}

function holdGuards(): void {
  released = false
}

/** The page is being left, so that nothing asks any more. */
export const isBeingLeft = (): boolean => released

const DISCARD: LeaveQuestion = {
  title: 'Unsaved changes',
  text: 'Your changes are not saved yet. Leave and discard them?',
  stay: 'Keep editing',
  go: 'Discard changes',
}

/** A file that is dropped where nothing takes it would be opened by the browser in the place of the dashboard. */
function refuseFiles(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/** The browser's own question when its tab is closed: about what is unsaved, and what is on its way. */
function askOnClosing(event: BeforeUnloadEvent): void {
  if (dirtyForms().length > 0 || (isAnythingUnderWay() && !released)) event.preventDefault()
}

type Asking = { answer: (go: boolean) => void; leaving: readonly (() => void)[]; scope: string | undefined }

type Leave = {
  /**
   * Goes on with `then` when nothing is unsaved, else asks first and goes on only if she discards.
   * @param scope only the forms of this part are asked about; without it all of them
   */
  leave: (then: () => void, scope?: string) => void
  /** The same as a promise: true to go on. For the history's blocker. */
  mayLeave: (scope?: string) => Promise<boolean>
  /** she is being asked: what is unsaved is not to be sent behind the question */
  isAsking: boolean
}

const LeaveContext = createContext<Leave | null>(null)

/** Around the dashboard: holds the one question "Leave and discard?" and the browser's own on closing the tab. */
export function GuardProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null)
  // It still stands while it fades away.
  const [question, setQuestion] = useState(DISCARD)

  const mayLeave = (scope?: string): Promise<boolean> => {
    const dirty = dirtyForms(scope)
    if (dirty.length === 0) return Promise.resolve(true)
    // What goes on although she leaves is not discarded, whatever else would be.
    setQuestion(dirty.map((form) => form.question()).find((each) => each !== undefined) ?? DISCARD)
    // What the question said: meanwhile a save may end, and with it what leaving does.
    const leaving = dirty.map((form) => form.leaving())
    return new Promise((answer) =>
      setAsking((before) => {
        before?.answer(false)
        return { answer, leaving, scope }
      }),
    )
  }
  const leave = (then: () => void, scope?: string): void => {
    if (dirtyForms(scope).length === 0) then()
    else void mayLeave(scope).then((go) => go && then())
  }

  useEffect(() => {
    window.addEventListener('beforeunload', askOnClosing)
    return () => {
      // What is on its way goes on where the dashboard lay over the page; once it has come, nothing is asked any more.
      if (!isAnythingUnderWay()) window.removeEventListener('beforeunload', askOnClosing)
    }
  }, [])
  useEffect(() => {
    const stop = new AbortController()
    for (const name of ['dragover', 'drop'] as const)
      document.addEventListener(name, refuseFiles, { signal: stop.signal })
    // One that comes back as it was left asks again.
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) holdGuards()
    }
    window.addEventListener('pageshow', comeBack, { signal: stop.signal })
    return () => stop.abort()
  }, [])

  // Nothing is unsaved any more, as once the save has come that was asked about: she goes where she wanted to.
  const lookAgain = useEffectEvent((): void => {
    if (!asking || dirtyForms(asking.scope).length > 0) return
    setAsking(null)
    asking.answer(true)
  })
  useEffect(() => {
    const look = (): void => lookAgain()
    lookers.add(look)
    return () => void lookers.delete(look)
  }, [])

  const settle = (go: boolean): void => {
    if (!asking) return
    if (go) for (const leave of asking.leaving) leave()
    setAsking(null)
    asking.answer(go)
  }

  const isAsking = asking !== null
  return (
    <LeaveContext.Provider value={{ leave, mayLeave, isAsking }}>
      {children}
      <ConfirmDialog
        open={isAsking}
        title={question.title}
        text={question.text}
        cancel={question.stay}
        confirm={question.go}
        onCancel={() => settle(false)}
        onConfirm={() => settle(true)}
      />
    </LeaveContext.Provider>
  )
}

/** How to leave a part of the dashboard. Use `leave(close, 'artwork')` for a dialog's Cancel, close and Escape. */
export function useLeave(): Leave {
  const leave = useContext(LeaveContext)
  if (!leave) throw new Error('useLeave needs a GuardProvider around it')
  return leave
}

/**
 * Registers a form with the guard: closing its part, switching tabs, Back, Escape and closing the browser's
 * tab ask first while it is dirty.
 * @param scope the part that asks, e.g. `content`; the name for `leave(then, scope)`
 * @param discard forgets edits and draft (`form.reset(); draft.drop()`)
 * @param question where leaving does something else than discarding changes
 * @returns tells whether nothing else of that part is unsaved
 */
export function useGuard(
  scope: string,
  dirty: boolean,
  discard: () => void,
  question?: LeaveQuestion,
): () => boolean {
  const latest = useLatest({ dirty, discard, question })
  const own = useRef<GuardedForm>(null)
  useEffect(() => {
    const form: GuardedForm = {
      scope,
      question: () => latest.current.question,
      isDirty: () => latest.current.dirty,
      leaving: () => latest.current.discard,
    }
    own.current = form
    return addForm(form)
  }, [scope, latest])
  // After what else is drawn with it: a form that goes on as another one is unsaved again by then.
  useEffect(() => (dirty ? () => void setTimeout(tellClean) : undefined), [dirty])
  return () => dirtyForms(scope).every((form) => form === own.current)
}

import { parsed } from '../lib/when-idle.ts'

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- it is added to the browser's own
  interface Window {
    /**
     * Set by the program as soon as it runs; rejects when it cannot take the page over. Here, because the names of a
     * module's exports do not outlast the bundler.
     */
    atelierTakenOver?: Promise<void>
  }
}

/** On `html` while the program could not be fetched, or not take the page over (`admin-page.module.css`). */
const MISSED = 'data-missed'

/** On `html` once the program is there and has taken the page over. */
export const READY = 'data-ready'

/** The first signs that somebody uses the page; a click comes alone from assistive technology. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin', 'click'] as const

/**
 * `missing`: it could not be fetched, and is asked for again at the next press or key. `outdated`: only another document
 * helps, because its files are gone (the site was renewed while the page stood open), or because it ran and could not
 * take the page over.
 */
type ProgramState = 'waiting' | 'coming' | 'ready' | 'missing' | 'outdated'

export type Program = {
  readonly state: () => ProgramState
  /** Brings its bytes into the browser's cache, once; runs none. */
  readonly fetch: () => Promise<unknown>
  /** Fetches and runs the program, once: `state` says how it goes. @returns whether that begins now */
  readonly start: () => boolean
  /** Calls `listener` whenever the program is there, or could not be fetched. */
  readonly onOutcome: (listener: () => void) => void
}

/**
 * The program of the page, which is run at the first sign of use. Its modules are fetched together and run one by
 * one, so that a slow phone can answer in between.
 * @param modules addresses, each after those it imports
 */
export function createProgram(modules: readonly string[]): Program {
  const page = document.documentElement
  const outcomes = new Set<() => void>()
  let state: ProgramState = 'waiting'
  let fetched: Promise<unknown> | null = null
  /** how it stands when it cannot come */
  let otherwise: ProgramState = 'missing'

  const fetchModule = async (address: string): Promise<void> => {
    const answer = await fetch(address, { priority: state === 'waiting' ? 'low' : 'auto' })
    await answer.arrayBuffer()
    if (answer.status === 404) otherwise = 'outdated'
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  }

  const run = async (): Promise<void> => {
    // Read from the cache together, while one after the other runs.
    for (const href of modules)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    // It takes over the document as a whole.
    await parsed()
    for (const [index, address] of modules.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve))
      await import(/* @vite-ignore */ address).catch((error: unknown) => {
        // What a program that runs already cannot get, it says itself.
        if (!window.atelierTakenOver) throw error
      })
    }
    await window.atelierTakenOver
  }

  const come = async (): Promise<void> => {
    try {
      await program.fetch()
      otherwise = 'outdated'
      await run()
      page.removeAttribute(MISSED)
      state = 'ready'
      page.setAttribute(READY, '')
    } catch (error) {
      console.warn(error)
      page.setAttribute(MISSED, '')
      state = otherwise
    }
    for (const listener of outcomes) listener()
  }

  const program: Program = {
    state: () => state,
    // Asked for before they are imported: Firefox remembers for as long as the page is there that an import has failed.
    fetch: () => {
      if (fetched) return fetched
      otherwise = 'missing'
      fetched = Promise.all(modules.map(fetchModule)).catch((error: unknown) => {
        fetched = null
        throw error
      })
      return fetched
    },
    start: () => {
      if (state !== 'waiting' && state !== 'missing') return false
      state = 'coming'
      void come()
      return true
    },
    onOutcome: (listener) => void outcomes.add(listener),
  }
  return program
}

/** Only of pointers says an event how far it moved. */
const isStill = ({ type, movementX, movementY }: Partial<PointerEvent>): boolean =>
  type === 'pointermove' && movementX === 0 && movementY === 0

/** Calls `start` at each sign of use, until one that finds the program there. */
export function startAtUse(program: Program, start: () => void): void {
  const signs = new AbortController()
  const hear = (event: Event): void => {
    // A pointer that lies still is said to move as well, when the page comes to lie below it.
    if (isStill(event)) return
    // What could not be fetched is asked for again where somebody wants something, not with each inch of a mouse.
    if (program.state() === 'missing' && /move|wheel/.test(event.type)) return
    // Not as soon as it is there: what has come by itself, for the owner or at a change, may never have been used.
    if (program.state() === 'ready') signs.abort()
    start()
  }
  for (const sign of SIGNS)
    addEventListener(sign, hear, { capture: true, passive: true, signal: signs.signal })
}

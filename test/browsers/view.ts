/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'

/** A script for the page: plain functions of the page's own world, handed over as source. */
type Script<Args extends readonly unknown[], Result> = (...args: Args) => Result

/** What a person aims at: an element by its role and the name that is read out for it, or a field by its label. */
export type Target = {
  readonly role: 'button' | 'link' | 'tab' | 'field' | 'switch'
  /** the whole name, or its beginning where it ends in `…` */
  readonly name: string
  /** only inside of this part of the page, as a CSS selector */
  readonly within?: string
}

/** One page of a browser, driven by real clicks and keys. */
export type View = {
  readonly goto: (address: string) => Promise<void>
  readonly reload: () => Promise<void>
  readonly back: () => Promise<void>
  /** Runs a function in the page; what goes in and comes out is JSON. */
  readonly evaluate: <Args extends readonly unknown[], Result>(
    script: Script<Args, Result>,
    ...args: Args
  ) => Promise<Result>
  /** Clicks the middle of the element, as a mouse does. */
  readonly click: (target: Target) => Promise<void>
  /** Empties the field and types into it. */
  readonly type: (target: Target, text: string) => Promise<void>
  readonly press: (key: 'Escape' | 'ArrowRight' | 'Enter' | 'Tab') => Promise<void>
  /** Chooses a file in the first file field of a part of the page. */
  readonly upload: (selector: string, file: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** A browser of another engine than Chromium. */
export type Browser = {
  /** Opens a page without cookies of its own; `script: false` where the engine can be told so. */
  readonly open: (options?: { readonly script?: boolean; readonly width?: number }) => Promise<View>
  readonly close: () => Promise<void>
}

/** A browser that may not be on this machine: why not, else how it is started. */
export type Engine = {
  readonly name: string
  /** why it cannot be started here; null when it can */
  readonly missing: string | null
  readonly start: () => Promise<Browser>
}

/**
 * Finds a target in the page; made for being handed to a browser as source, so it uses nothing from around it.
 * Of several the first that is seen is taken.
 * @returns the element, or null
 */
export const find = (role: string, name: string, within: string | null): Element | null => {
  const selectors: Record<string, string> = {
    button: 'button, [role=button], summary',
    link: 'a[href]',
    tab: '[role=tab]',
    field: 'input:not([type=hidden]):not([type=file]), textarea, select',
    switch: '[role=switch]',
  }
  const tidy = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')
    if (by !== null)
      return tidy(
        by
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' '),
      )
    const own = element.getAttribute('aria-label')
    if (own !== null) return tidy(own)
    const labels = 'labels' in element ? [...((element.labels ?? []) as Iterable<Element>)] : []
    if (labels.length > 0) return tidy(labels.map((label) => label.textContent).join(' '))
    return tidy(element.textContent)
  }
  const fits = (found: string): boolean =>
    name.endsWith('…') ? found.startsWith(name.slice(0, -1)) : found === name
  const isSeen = (element: Element): boolean =>
    element.getClientRects().length > 0 &&
    getComputedStyle(element).visibility === 'visible' &&
    element.closest('[inert]') === null
  const roots = within === null ? [document.documentElement] : [...document.querySelectorAll(within)]
  const all = roots.flatMap((root) => [...root.querySelectorAll(selectors[role] ?? role)])
  return all.find((element) => fits(nameOf(element)) && isSeen(element)) ?? null
}

/** The middle of an element, in pixels of what is in view. Handed over as source. */
export const middleOf = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

/**
 * Brings an element into view. Handed over as source.
 * @returns true when a click on its middle would reach it, null while something lies above it or it moves
 */
export const takesClick = (element: Element): true | null => {
  const before = element.getBoundingClientRect()
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  if (before.top !== top || before.left !== left) return null
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  return (hit !== null && (element.contains(hit) || hit.contains(element))) || null
}

/**
 * Asks again until something is there: a browser of another engine has no waiting of its own.
 * @returns the first answer that is neither null nor false
 * @throws with `what` and the last error after `within` milliseconds
 */
export const until = async <Answer>(
  what: string,
  ask: () => Promise<Answer | null | false>,
  within = 120_000,
): Promise<Answer> => {
  const end = performance.now() + within
  let last: unknown = null
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== false) return answer
    } catch (error) {
      // The page may be going away just now; what stays wrong is told at the end.
      last = error
    }
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`, { cause: last })
    await delay(50)
  }
}

import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

export type HeldSteps = {
  readonly areHeld: () => boolean
  /** Lets steps through from now on, and hands over what was kept; may be called again. */
  readonly letThrough: () => void
}

/**
 * Keeps steps of Back and Forward from the router while the page is taken over: in the middle of it they would be
 * lost, or React would meet another screen than the one it takes over.
 * @param isBehind a step was made before, so that there is something to hand over in any case
 */
export function holdSteps(isBehind: boolean): HeldSteps {
  let isOwed = isBehind
  let areHeld = true
  const hold = (event: PopStateEvent): void => {
    isOwed = true
    event.stopImmediatePropagation()
  }
  addEventListener('popstate', hold, { capture: true })
  return {
    areHeld: () => areHeld,
    letThrough: () => {
      areHeld = false
      removeEventListener('popstate', hold, { capture: true })
      if (!isOwed) return
      isOwed = false
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    },
  }
}

/**
 * The browser's history as if the document still stood where its page was made for, as long as steps are held. What
 * was typed into the page stays in it that way, because React takes over the very screen that is there.
 */
export function historyBehind(address: string, { areHeld }: HeldSteps): RouterHistory {
  return createBrowserHistory({
    parseLocation: () => {
      const { pathname, search, hash } = areHeld() ? new URL(address, location.origin) : location
      return { href: pathname + search + hash, pathname, search, hash, state: history.state }
    },
  })
}

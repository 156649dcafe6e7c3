/**
 * Keeps steps of Back and Forward from the router while the page is taken over: in the middle of it they would be
 * lost, or React would meet another screen than the one it takes over.
 * @returns lets them through from now on, and hands over the last one that was kept; may be called again
 */
export function holdSteps(): () => void {
  let isHeld = false
  const hold = (event: PopStateEvent): void => {
    isHeld = true
    event.stopImmediatePropagation()
  }
  addEventListener('popstate', hold, { capture: true })
  return () => {
    removeEventListener('popstate', hold, { capture: true })
    if (!isHeld) return
    isHeld = false
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }
}

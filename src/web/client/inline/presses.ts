import { isPlainClick } from '../lib/plain-click.ts'
import type { Program } from './program.ts'

/** What a button says that only the program can answer, when the program did not come. */
const LATE = 'This part of the page could not be loaded yet. Please check your connection and try again.'

/** On what was pressed before the program was there (`base.css`). */
const PRESSED = 'data-pressed'
/** Id of the sentence that says that a press could not be answered (`base.css`). */
const LATE_ELEMENT = 'late'
/** ms that a press waits for the program */
const TIMEOUT_MS = 3_000

/**
 * Holds a plain press that comes before the program, and does it in place when the program is there. After three
 * seconds, or when the program cannot come, a link is followed, a form is sent and any other button says so. A press
 * is forgotten when the visitor turns to something else meanwhile.
 * @param isInPlace the program follows links in place; elsewhere they are followed at once
 */
export function holdPresses(program: Program, isInPlace: boolean): void {
  const listening = new AbortController()
  let held: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const hold = (pressed: HTMLElement | null): void => {
    // Who presses again and again waits no longer for it.
    if (pressed === held) return
    clearTimeout(timer)
    held?.removeAttribute(PRESSED)
    held = pressed
    if (!held) return
    held.setAttribute(PRESSED, '')
    timer = setTimeout(giveUp, TIMEOUT_MS)
  }
  const letGo = (): HTMLElement | null => {
    const pressed = held
    hold(null)
    return pressed
  }
  const giveUp = (): void => {
    const pressed = letGo()
    if (!pressed) return
    if (pressed instanceof HTMLAnchorElement) location.assign(pressed.href)
    else if (pressed instanceof HTMLButtonElement && pressed.type === 'submit')
      pressed.form?.requestSubmit(pressed)
    else if (program.state() === 'outdated') location.reload()
    else say(LATE)
  }

  const onClick = (event: MouseEvent): void => {
    say('')
    const pressed = isPlainClick(event) ? pressedBy(event.target, isInPlace) : null
    if (!pressed) {
      forget(event)
      return
    }
    event.preventDefault()
    // React may be there already, and would do it as well.
    event.stopPropagation()
    hold(pressed)
    if (program.state() === 'outdated') giveUp()
  }
  /** Not where somebody goes on in the form that was sent. */
  const forget = ({ target }: Event): void => {
    const place = held?.closest('form') ?? held
    if (!(target instanceof Node && place?.contains(target))) hold(null)
  }
  const options = { capture: true, signal: listening.signal }
  addEventListener('click', onClick, options)
  addEventListener('keydown', forget, options)
  // Back, or off to another page: this one may be shown again as it was left.
  for (const left of ['popstate', 'pagehide']) addEventListener(left, () => hold(null), options)
  program.onOutcome(() => {
    if (program.state() !== 'ready') {
      giveUp()
      return
    }
    listening.abort()
    say('')
    const pressed = letGo()
    // What the program does as soon as it is there comes first.
    setTimeout(() => {
      if (pressed?.isConnected) pressed.click()
    })
  })
}

/** The button, or the link that the program follows in place, that was pressed. */
function pressedBy(target: EventTarget | null, isInPlace: boolean): HTMLElement | null {
  const pressed = target instanceof Element ? target.closest<HTMLElement>('a[href], button') : null
  if (!(pressed instanceof HTMLAnchorElement)) return pressed
  const { origin, pathname, search, hash } = pressed
  const isAnchor = hash !== '' && pathname === location.pathname && search === location.search
  const isOurs = pathname === '/' || pathname === '/admin' || pathname.startsWith('/artwork/')
  return isInPlace && origin === location.origin && isOurs && !isAnchor && pressed.target === ''
    ? pressed
    : null
}

/** Says it where everybody sees and hears it; nothing takes it away. */
function say(words: string): void {
  document.getElementById(LATE_ELEMENT)?.remove()
  if (words === '') return
  document.body.append(
    Object.assign(document.createElement('p'), { id: LATE_ELEMENT, role: 'alert', textContent: words }),
  )
}

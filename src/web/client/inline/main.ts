/**
 * The one script that stands in a page: the same text in every page of a build, allowed by its hash. The page is a
 * document that works by itself; this shows its fonts, fetches the program when somebody uses the page, and loses
 * nothing that is done before the program is there.
 */
import { messageForm } from '../lib/message-form.ts'
import { parsed, whenIdle } from '../lib/when-idle.ts'
import { createChangeStream } from './change-stream.ts'
import { readFacts } from './facts.ts'
import { showFonts } from './fonts.ts'
import { keepMessage, loadAgainOnce, putBackMessage } from './kept-message.ts'
import { holdPresses } from './presses.ts'
import { createProgram, startAtUse } from './program.ts'
import { reloadWhenElsewhere } from './stands-at.ts'

const facts = readFacts(document)
const fonts = showFonts()
const program = createProgram(facts.modules)

/** Brings the bytes of the program, and of what is likely to be wanted with it, into the browser's cache; runs none. */
const fetchAhead = (): void => {
  // Not every browser tells; the name is not in TypeScript's library.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return
  for (const address of [...(program.state() === 'waiting' ? facts.modules : []), ...facts.ahead]) {
    // Only ahead of time: when it fails here, the first use fetches it again and tells.
    fetch(address, { priority: 'low' })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
  }
}

const start = (): void => {
  fonts.fetch()
  if (program.start()) fetchAhead()
}

/** A change of what is shown wakes the program too, which then shows it; where its files are gone, a new page does. */
const wake = (): void => {
  if (program.state() === 'waiting')
    program.onOutcome(() => {
      if (program.state() === 'outdated') loadAgainOnce(String(facts.version))
    })
  start()
}

const changes = createChangeStream(facts.version, wake)
window.atelierChanges = changes

// The answer to a refused message stands at the form's own address, which is no page: a reload must find one, and its words.
if (location.pathname === '/contact' && facts.address !== null) {
  history.replaceState(history.state, '', `${facts.address}#contact`)
  addEventListener('pagehide', keepMessage)
  // The browser sends it: whatever page comes next says what has become of it.
  addEventListener('submit', ({ defaultPrevented, target }) => {
    if (!defaultPrevented && target === messageForm()) removeEventListener('pagehide', keepMessage)
  })
}
void parsed().then(putBackMessage)
// Before the page is loaded again elsewhere: what was pressed here is forgotten then.
holdPresses(program)
reloadWhenElsewhere(facts.address, program)
startAtUse(program, start)
if (facts.address === '/admin' || document.documentElement.hasAttribute('data-session')) {
  // Before any list of the owner's is asked for.
  changes.open()
  start()
} else {
  whenIdle(() => {
    if (program.state() === 'waiting') fetchAhead()
    if (facts.address !== null) changes.open()
  })
}

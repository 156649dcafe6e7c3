/**
 * The one script that stands in a page: the same text in every page of a build, allowed by its hash. The page is a
 * document that works by itself; this shows its fonts, fetches the program when somebody uses the page, and loses
 * nothing that is done before the program is there.
 */
import { parsed, savesData, whenIdle } from '../lib/when-idle.ts'
import { createChangeStream } from './change-stream.ts'
import { readFacts } from './facts.ts'
import { showFonts } from './fonts.ts'
import { keepMessage, putBackMessage } from './kept-message.ts'
import { holdPresses } from './presses.ts'
import { createProgram, startAtUse } from './program.ts'
import { keepInTab, keptInTab } from '../lib/tab-storage.ts'

/** The version of the data in the page that was loaded again by itself. */
const LOADED = 'atelier.loaded'

const facts = readFacts(document)
const hurryFonts = showFonts()
const program = createProgram(facts.modules)

let isFetchedAhead = false
/** Brings the bytes of the program, and of what is likely to be wanted with it, into the browser's cache, once; runs none. */
const fetchAhead = (): void => {
  if (isFetchedAhead) return
  isFetchedAhead = true
  if (savesData()) return
  // Only ahead of time: when it fails here, the first use fetches it again and tells.
  program.fetch().catch(() => undefined)
  for (const address of facts.ahead)
    fetch(address, { priority: 'low' })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
}

let isUsed = false
const start = (): void => {
  hurryFonts()
  if (program.start()) fetchAhead()
}
const use = (): void => {
  isUsed = true
  start()
}

/**
 * Where files of the program are gone a new page shows what this one cannot, as long as nobody uses it: once for a version of
 * the page's data, or a page that is outdated again would load for ever.
 */
const loadUnusedAgain = (): void => {
  const version = String(facts.version)
  if (isUsed || keptInTab(LOADED) === version) return
  if (keepInTab(LOADED, version)) location.reload()
}
program.onOutcome(() => {
  if (program.state() === 'outdated') loadUnusedAgain()
})

/**
 * Loads the page again when Back or Forward lead to another address that is the same document to the browser: the program
 * had pushed one of the two, and then the page was reloaded. A program that is there shows it in place, but the page of
 * unknown addresses has none that could.
 */
const loadAgainElsewhere = (): void => {
  const here = (): string => location.pathname + location.search
  const made = here()
  const look = (event: Event): void => {
    if (facts.address !== null && program.state() === 'ready') return
    // The program lets the page below an artwork or the menu stay where it is (`app/keep-place.ts`).
    history.scrollRestoration = 'auto'
    if (here() === made) return
    event.stopImmediatePropagation()
    location.reload()
  }
  addEventListener('popstate', look, true)
}

// A change of what is shown wakes the program too, which then shows it.
const changes = createChangeStream(facts.version, start)
window.atelierChanges = changes
window.atelierOutdated = loadUnusedAgain

// The answer to a refused message stands at the form's own address, which is no page: a reload must find one, and its words.
if (location.pathname === '/contact' && facts.address !== null)
  history.replaceState(history.state, '', `${facts.address}#contact`)
void parsed().then(() => {
  putBackMessage()
  // Not before: a page that is left sooner would keep its empty form in the place of what was typed. A phone ends a hidden tab
  // without another word, and Firefox may lose what is kept while it leaves for another site.
  for (const kept of ['input', 'visibilitychange', 'pagehide']) addEventListener(kept, keepMessage)
})
holdPresses(program, facts.address !== null)
loadAgainElsewhere()
startAtUse(program, use)
if (facts.address === '/admin' || document.documentElement.hasAttribute('data-session')) {
  // Before any list of the owner's is asked for.
  changes.open()
  start()
} else {
  // Each in an idle moment of its own: together they take as long as a slow phone has for a touch.
  whenIdle(fetchAhead)
  if (facts.address !== null) whenIdle(changes.open)
}

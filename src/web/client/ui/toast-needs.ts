import type { Need } from './toast-place.ts'

/**
 * What is never covered: `data-needed` marks the ends of dialogs and bars whose buttons finish what was begun, and
 * open lists take the next press.
 */
const MUST = '[data-needed] :is(button, a[href]), button[type="submit"], [role="menu"], [role="listbox"]'
/** What is left free where there is room. */
const SHOULD =
  '[role="dialog"]:not([data-scrolls]) :is(button, a[href], input, textarea), dialog[open] :is(button, a[href]), [data-dashboard] > header button, [role="tab"], [data-needed], [role="alert"] p, p[role="alert"], [role="alertdialog"] :is(p, small)'

const FIELDS =
  'input:not([type="hidden"]), textarea, select, [contenteditable="true"], [role="combobox"], [role="switch"], [role="radio"]'
const STOPS = `${FIELDS}, button, a[href], [tabindex="0"]`

const MUST_WEIGHT = 10_000
const SHOULD_WEIGHT = 10

/**
 * What a message should leave free just now: what has the focus and what comes after it, the buttons that finish
 * what was begun, and, where there is room, the other buttons. Only what can be pressed counts: not what lies below
 * a dialog or is scrolled away.
 * @param toasts the messages themselves, which hide nothing here
 */
export function needsAround(toasts: Element): readonly Need[] {
  const must = new Set<Element>([...document.querySelectorAll(MUST), ...aroundFocus(toasts)])
  const should = [...document.querySelectorAll(SHOULD)].filter((element) => !must.has(element))
  const needs = (elements: Iterable<Element>, weight: number): Need[] =>
    [...elements].flatMap((element) => {
      if (toasts.contains(element)) return []
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const isSeen =
        right > left && bottom > top && isReached(element, toasts, (left + right) / 2, (top + bottom) / 2)
      return isSeen ? [{ left, top, right, bottom, weight }] : []
    })
  return [...needs(must, MUST_WEIGHT), ...needs(should, SHOULD_WEIGHT)]
}

/**
 * What has the focus, and where the Tab key and the next field of its form are; in a list also the same button of the
 * next entry, for what is done to one is often done to several.
 */
function aroundFocus(toasts: Element): readonly Element[] {
  const focused = document.activeElement
  if (!focused || focused === document.body || toasts.contains(focused)) return []
  if (!focused.matches(STOPS)) return []
  const around = focused.closest('form, [role="dialog"], [role="alertdialog"], dialog, main') ?? document.body
  const after = (selector: string): Element | undefined =>
    [...around.querySelectorAll(selector)].find(
      (element) =>
        focused.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_FOLLOWING &&
        element.getClientRects().length > 0,
    )
  const action = focused.getAttribute('data-action')
  const alike = action === null ? undefined : after(`[data-action="${action}"]`)
  return [focused, after(STOPS), after(FIELDS), alike].filter((element) => element !== undefined)
}

/** Whether a press there would meet the element, if no message lay above it. */
function isReached(element: Element, toasts: Element, x: number, y: number): boolean {
  const met = document.elementsFromPoint(x, y).find((each) => !toasts.contains(each))
  return met !== undefined && (element.contains(met) || met.contains(element))
}

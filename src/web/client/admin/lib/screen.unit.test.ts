import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { focusFirstMistake, typingNow } from './screen.ts'

/** As much of a field as is asked of one. */
class Field {
  value = ''
  readonly focus = vi.fn<() => void>()
  matches(): boolean {
    return true
  }
  scrollIntoView(): void {
    // Nothing scrolls here.
  }
}

const [name, mail] = [new Field(), new Field()]
// Of a form only its first mistake is asked for.
const form = { querySelector: () => mail } as unknown as HTMLElement

beforeEach(() => {
  name.value = 'Leela'
  mail.focus.mockClear()
  vi.stubGlobal('HTMLInputElement', Field)
  vi.stubGlobal('document', { activeElement: name })
})
afterEach(() => void vi.unstubAllGlobals())

it('goes from the field in which Enter was pressed to what is wrong', () => {
  focusFirstMistake(form, typingNow())
  expect(mail.focus).toHaveBeenCalledOnce()
})

it('leaves the focus where she types on since Enter, or elsewhere by then', () => {
  const sent = typingNow()
  name.value = 'Leela Mar'
  focusFirstMistake(form, sent)
  vi.stubGlobal('document', { activeElement: new Field() })
  focusFirstMistake(form, sent)
  expect(mail.focus).not.toHaveBeenCalled()
})

import { describe, expect, it } from 'vitest'
import { isListening, tabAfter, type TabEvent, type TabState } from './tab-state.ts'

const unopened: TabState = { at: 'unopened', knownTo: null, isAnew: false }
const hidden: TabState = { ...unopened, at: 'hidden' }
const asking: TabState = { ...unopened, at: 'asking' }
const told: TabState = { ...unopened, at: 'told', knownTo: '7' }
const after = (tab: TabState, ...events: readonly TabEvent[]): TabState => events.reduce(tabAfter, tab)

describe('how a tab stands with the change stream', () => {
  it('listens once somebody wants to hear and it is shown, and not while it is hidden', () => {
    expect(after(unopened, { type: 'shown' })).toBe(unopened)
    expect(after(unopened, { type: 'hidden' })).toBe(unopened)
    expect(after(unopened, { type: 'wanted' })).toEqual(hidden)
    expect(after(unopened, { type: 'wanted' }, { type: 'shown' })).toEqual(asking)
    for (const tab of [asking, told]) {
      expect(after(tab, { type: 'wanted' })).toBe(tab)
      expect(after(tab, { type: 'shown' })).toBe(tab)
      expect(after(tab, { type: 'hidden' }).at).toBe('hidden')
    }
    expect([unopened, hidden, asking, told].map(isListening)).toEqual([false, false, true, true])
  })

  it('knows how far it has missed nothing only once its own stream has told, since it was shown', () => {
    const posted = { type: 'posted', position: '9' } as const
    expect(after(hidden, posted)).toBe(hidden)
    expect(after(asking, posted)).toBe(asking)
    expect(after(asking, { type: 'told', position: '7' })).toEqual(told)
    expect(after(told, posted).knownTo).toBe('9')
    expect(after(told, { type: 'hidden' }, posted, { type: 'shown' })).toEqual({ ...asking, knownTo: '7' })
  })

  it('takes nothing of a stream that was closed', () => {
    for (const tab of [unopened, hidden]) expect(after(tab, { type: 'told', position: '9' })).toBe(tab)
  })

  it.each([unopened, hidden, asking, told])('has opened anew from its second stream on, $at', (tab) => {
    expect(after(tab, { type: 'opened' })).toEqual({ ...tab, isAnew: true })
    expect(after(tab, { type: 'opened' }, { type: 'reopened' })).toEqual(tab)
  })
})

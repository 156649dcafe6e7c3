import { expect, it } from 'vitest'
import { ASKING, HIDDEN, tabAfter, type TabState, TOLD, UNOPENED } from './tab-state.ts'

const all: readonly TabState[] = [UNOPENED, HIDDEN, ASKING, TOLD]

it('listens to nothing while it is hidden, and has to ask once it is shown', () => {
  expect(all.map((tab) => tabAfter(tab, true))).toEqual([HIDDEN, HIDDEN, HIDDEN, HIDDEN])
  expect(all.map((tab) => tabAfter(tabAfter(tab, true), false))).toEqual([ASKING, ASKING, ASKING, ASKING])
})

it('does not ask again when it is told once more that it is shown', () => {
  expect(all.map((tab) => tabAfter(tab, false))).toEqual([ASKING, ASKING, ASKING, TOLD])
})

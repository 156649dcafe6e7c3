import { expect, test } from 'vitest'
import type { SiteContent } from '#web/contract/site-content.ts'
import { ACHIEVEMENT_DEFAULTS } from '../lib/constants.ts'
import { achievementsOf } from './achievements-of.ts'

// Only the twelve fields that are read here; the rest of a record does not matter to the rule.
const site = (fields: Partial<SiteContent>) => {
  const empty = Object.fromEntries(
    [1, 2, 3, 4].flatMap((n) => ['Icon', 'Number', 'Label'].map((field) => [`achievement${n}${field}`, ''])),
  )
  return { ...empty, ...fields } as SiteContent
}

test('an empty record and a missing one show the four defaults', () => {
  expect(achievementsOf(null)).toEqual(Object.values(ACHIEVEMENT_DEFAULTS))
  expect(achievementsOf(site({}))).toEqual(Object.values(ACHIEVEMENT_DEFAULTS))
})

test('a number or a label alone replaces the whole default, which lends only its icon', () => {
  const shown = achievementsOf(site({ achievement1Number: '14', achievement3Label: 'Classes' }))
  expect(shown[0]).toEqual({ icon: 'book', number: '14', label: '' })
  expect(shown[1]).toEqual(ACHIEVEMENT_DEFAULTS[2])
  expect(shown[2]).toEqual({ icon: 'hand', number: '', label: 'Classes' })
})

test('an icon alone is no achievement', () => {
  expect(achievementsOf(site({ achievement2Icon: 'star' }))[1]).toEqual(ACHIEVEMENT_DEFAULTS[2])
})

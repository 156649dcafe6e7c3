import { expect, test } from 'vitest'
import { siteContent } from '#web/contract/site-content.ts'
import { emptySite } from '#web/contract/testing/samples.ts'
import { labelOf, valuesOf } from './content-values.ts'

test('an empty subtitle and empty button texts show what the page shows', () => {
  const values = valuesOf(emptySite)
  expect(values.heroPrimaryButtonText).toBe('Explore Collection')
  expect(values.heroSecondaryButtonText).toBe('Get In Touch')
  expect(values.heroSubtitle).toMatch(/^Spearheading the affordable art movement/)
  expect(valuesOf({ ...emptySite, heroSubtitle: 'Mine' }).heroSubtitle).toBe('Mine')
})

test('other empty values stay empty, and nothing read-only is a field', () => {
  const values = valuesOf(emptySite)
  expect(values.heroTitle).toBe('')
  expect(values).not.toHaveProperty('version')
})

test('every field has a name that a person reads', () => {
  const own = ['id', 'version', 'updatedAt']
  for (const key of Object.keys(siteContent.shape).filter((each) => !own.includes(each))) {
    // The keys of the contract's own shape.
    expect(labelOf(key as keyof ReturnType<typeof valuesOf>)).toMatch(/^[A-Z][\w :]+$/)
  }
})

import { expect, it } from 'vitest'
import { buildInWords } from './projections.ts'

it('says which view is built where each is built by itself, and no number of events to come', () => {
  expect(buildInWords({ phase: 'replaying', views: ['activity'], done: 2_000, share: 0.33 })).toEqual({
    what: 'Replaying the log into activity',
    done: 2_000,
    total: null,
    unit: 'events, 33 % of the way',
  })
  expect(buildInWords({ phase: 'comparing', views: ['activity'], done: 5, total: 7 })).toMatchObject({
    what: 'Comparing activity with what is served',
    total: 7,
  })
})

it('names none where all are built together', () => {
  const views = ['activity', 'artworks']
  expect(buildInWords({ phase: 'replaying', views, done: 1, share: 1 }).what).toBe('Replaying the log')
  expect(buildInWords({ phase: 'comparing', views, done: 1, total: 1 }).what).toBe(
    'Comparing with what is served',
  )
})

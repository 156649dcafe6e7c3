import { describe, expect, it } from 'vitest'
import { makeSiteContent } from '#web/contract/testing/make-page-data.ts'
import { firstStepsOf } from './first-steps.ts'

const nothing = makeSiteContent({
  artistName: '',
  profileImageUrl: '',
  contactEmail: '',
  contactWhatsapp: '',
  upiId: '',
  blogUrl: '',
})
const everything = {
  artistName: 'Asha',
  profileImageUrl: '/images/a/original-view.jpg',
  contactEmail: 'asha@example.in',
  upiId: 'asha@bank',
  blogUrl: 'https://asha.example',
}
type Known = Parameters<typeof firstStepsOf>[0]
const fresh: Known = { firstPassword: true, content: nothing, artworks: [], sampleTexts: [] }
const after = (content: Parameters<typeof makeSiteContent>[0], known: Partial<Known> = {}) =>
  firstStepsOf({ ...fresh, content: { ...nothing, ...content }, ...known })
const doneOf = (...known: Parameters<typeof after>) =>
  after(...known).flatMap(({ id, done }) => (done ? [id] : []))

describe('the first steps', () => {
  it('are none of them done on a new site', () => {
    expect(firstStepsOf(fresh).map(({ id, done }) => [id, done])).toEqual(
      ['password', 'person', 'contact', 'upi', 'artwork', 'journal'].map((id) => [id, false]),
    )
  })

  it.each([
    ['password', {}, { firstPassword: false }],
    ['person', { artistName: 'Asha', profileImageUrl: '/images/a/original-view.jpg' }, {}],
    ['contact', { contactEmail: 'asha@example.in' }, {}],
    ['contact', { contactWhatsapp: '+91 98200 12345' }, {}],
    ['upi', { upiId: 'asha@bank' }, {}],
    ['artwork', {}, { artworks: [{ sample: true }, { sample: false }] }],
    ['journal', { blogUrl: 'https://asha.example' }, {}],
  ])('%s is done by what it asks for, and by nothing else', (id, content, known) => {
    expect(doneOf(content, known)).toEqual([id])
  })

  it('are all done when all of it is hers', () => {
    expect(doneOf(everything, { firstPassword: false, artworks: [{ sample: false }] })).toHaveLength(6)
  })

  it.each([
    ['a name without a portrait', { artistName: 'Asha' }, {}],
    ['the name and portrait of the samples', everything, { sampleTexts: Object.keys(everything) }],
    ['sample works', {}, { artworks: [{ sample: true }] }],
  ])('are not done by %s', (_, content, known) => {
    expect(doneOf(content, known)).toEqual([])
  })

  it('lead to what is missing of them, else to what was set first', () => {
    const fieldOf = (...known: Parameters<typeof after>) =>
      after(...known).find(({ id }) => id === 'person')?.leadsTo
    expect(fieldOf({})).toEqual({ kind: 'field', field: 'artistName' })
    expect(fieldOf({ artistName: 'Asha' })).toEqual({ kind: 'field', field: 'profileImageUrl' })
    expect(fieldOf({ artistName: 'Leela' }, { sampleTexts: ['artistName'] })).toEqual({
      kind: 'field',
      field: 'artistName',
    })
    expect(fieldOf(everything)).toEqual({ kind: 'field', field: 'artistName' })
  })
})

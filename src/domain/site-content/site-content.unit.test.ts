import { describe, expect, test } from 'vitest'
import type { SiteContentEvent } from './events.ts'
import { contentFields, type SiteContentChanges } from './rules.ts'
import { type SiteContentCommand, siteContentDecider } from './site-content.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const update = (changes: SiteContentChanges, sample?: boolean): SiteContentCommand => ({
  type: 'UpdateContent',
  changes,
  ...(sample === undefined ? {} : { sample }),
})
const named = (to: string, from = '', sample = false): SiteContentEvent => ({
  type: 'ContentUpdated',
  data: { changes: { artistName: { from, to } }, sample },
})

describe('updating', () => {
  test('one update may change texts, payment details and the blog address, each in its own words', () => {
    expect(
      given(siteContentDecider).when(
        update({
          artistName: 'Asha',
          heroTitle: 'Light',
          upiId: 'asha@okbank',
          upiKind: 'personal',
          blogUrl: 'https://asha.blogspot.com/',
        }),
      ),
    ).toEqual(
      causes<SiteContentEvent>(
        {
          type: 'ContentUpdated',
          data: {
            changes: { artistName: { from: '', to: 'Asha' }, heroTitle: { from: '', to: 'Light' } },
            sample: false,
          },
        },
        {
          type: 'PaymentDetailsChanged',
          data: {
            changes: { upiId: { from: '', to: 'asha@okbank' }, upiKind: { from: '', to: 'personal' } },
          },
        },
        { type: 'BlogAddressChanged', data: { from: '', to: 'https://asha.blogspot.com/' } },
      ),
    )
  })
  test('only what really differs is in the event', () => {
    const before = given(siteContentDecider, named('Asha'))
    expect(before.when(update({ artistName: 'Asha', artistBio: '', upiId: '', blogUrl: '' }))).toEqual(
      causes(),
    )
    expect(before.when(update({ artistName: 'Asha', artistBio: 'Born in Pune' }))).toEqual(
      causes({
        type: 'ContentUpdated',
        data: { changes: { artistBio: { from: '', to: 'Born in Pune' } }, sample: false },
      }),
    )
  })
  test('a default of the blog address stands until she has set one, is told as what it was, and can be emptied', () => {
    const d = 'https://default.example/'
    const withDefault = (blogUrl: string) => ({ ...update({ blogUrl }), defaultBlogUrl: d })
    const emptied: SiteContentEvent = { type: 'BlogAddressChanged', data: { from: d, to: '' } }
    expect(given(siteContentDecider).when(withDefault(d))).toEqual(causes())
    expect(given(siteContentDecider).when(withDefault(''))).toEqual(causes(emptied))
    expect(given(siteContentDecider, emptied).when(withDefault(''))).toEqual(causes())
    expect(given(siteContentDecider, emptied).when({ type: 'UndoContentChange', events: [emptied] })).toEqual(
      causes({ type: 'BlogAddressChanged', data: { from: '', to: d } }),
    )
  })
  test('every field of the record can be written and emptied', () => {
    const texts = {
      ...Object.fromEntries(contentFields.map((field) => [field, field])),
      contactEmail: 'a@b.in',
      profileImageUrl: 'https://a.in/me.jpg',
    }
    const history = given(siteContentDecider).after(update(texts))
    expect(given(siteContentDecider, ...history).state.content).toEqual(texts)
    const emptied = given(siteContentDecider, ...history).after(
      update(Object.fromEntries(contentFields.map((field) => [field, '']))),
    )
    expect(Object.values(given(siteContentDecider, ...emptied).state.content).join('')).toBe('')
  })
  test('settings lose outer blanks', () => {
    expect(given(siteContentDecider).when(update({ upiId: ' asha@okbank ' }))).toEqual(
      causes({
        type: 'PaymentDetailsChanged',
        data: { changes: { upiId: { from: '', to: 'asha@okbank' } } },
      }),
    )
  })
})

describe('values that a field may not have', () => {
  const wrong: readonly (readonly [keyof SiteContentChanges, string])[] = [
    ['artistName', 'x'.repeat(201)],
    ['artistBio', 'x'.repeat(5001)],
    ['artistDescription', 'x'.repeat(20_001)],
    ['profileImageUrl', `https://x.in/${'x'.repeat(2048)}`],
    ['contactEmail', 'asha'],
    ['contactEmail', 'asha@'],
    ['contactEmail', `${'a'.repeat(250)}@b.in`],
    ['contactWhatsapp', 'x'.repeat(301)],
    ['artistQuote', 'x'.repeat(301)],
    ['bioParagraph4', 'x'.repeat(5001)],
    ['achievement4Icon', 'x'.repeat(301)],
    ['heroTitle', 'x'.repeat(201)],
    ['heroSubtitle', 'x'.repeat(301)],
    ['upiId', 'asha'],
    ['upiId', 'a@okbank'],
    ['upiId', 'asha@'],
    ['upiId', 'asha@ok bank'],
    ['upiId', `${'a'.repeat(250)}@okbank`],
    ['upiPayeeName', 'x'.repeat(100)],
    ['upiKind', 'shop'],
    ['blogUrl', 'asha.blogspot.com'],
    ['blogUrl', 'ftp://asha.in'],
    ['blogUrl', 'javascript:alert(1)'],
    ['blogUrl', `https://x.in/${'x'.repeat(2048)}`],
  ]
  test.each(wrong)('%s: %s', (field, value) => {
    expect(given(siteContentDecider).when(update({ [field]: value }))).toMatchObject(
      refuses('invalid', field),
    )
  })
  test('are named together', () => {
    expect(given(siteContentDecider).when(update({ upiId: 'x', contactEmail: 'y' }))).toMatchObject(
      refuses('invalid', 'contactEmail', 'upiId'),
    )
  })
  const right: readonly (readonly [keyof SiteContentChanges, string])[] = [
    ['artistDescription', 'x'.repeat(20_000)],
    ['contactEmail', 'asha.k+art@studio.co.in'],
    ['upiId', 'asha.art-1@okhdfcbank'],
    ['upiId', 'q12345@ybl2'],
    ['upiKind', 'merchant'],
    ['blogUrl', 'http://asha.in/blog'],
    ['profileImageUrl', `/images/${'a'.repeat(64)}/original-view.jpg`],
  ]
  test.each(right)('%s may be %s', (field, value) => {
    expect(given(siteContentDecider).when(update({ [field]: value }))).toHaveProperty('events.length', 1)
  })
})

describe('sample texts', () => {
  const sample = named('Sample Artist', '', true)
  test('are emptied while they are as the samples wrote them', () => {
    expect(given(siteContentDecider, sample).when({ type: 'RemoveSampleContent' })).toEqual(
      causes({
        type: 'SampleContentRemoved',
        data: { changes: { artistName: { from: 'Sample Artist', to: '' } } },
      }),
    )
  })
  test('that she has changed stay, and so do her own', () => {
    const own: SiteContentEvent = {
      type: 'ContentUpdated',
      data: { changes: { heroTitle: { from: '', to: 'Mine' } }, sample: false },
    }
    expect(
      given(siteContentDecider, sample, named('Asha', 'Sample Artist'), own).when({
        type: 'RemoveSampleContent',
      }),
    ).toEqual(causes())
  })
  test('that she has changed and set back are hers', () => {
    const history = [sample, named('Asha', 'Sample Artist'), named('Sample Artist', 'Asha')]
    expect(given(siteContentDecider, ...history).when({ type: 'RemoveSampleContent' })).toEqual(causes())
  })
  test('are removed once; a text written alike later is hers', () => {
    const history = given(siteContentDecider, sample).after({ type: 'RemoveSampleContent' })
    expect(given(siteContentDecider, ...history).when({ type: 'RemoveSampleContent' })).toEqual(causes())
    expect(
      given(siteContentDecider, ...history, named('Sample Artist')).when({ type: 'RemoveSampleContent' }),
    ).toEqual(causes())
  })
})

describe('the achievements', () => {
  const hidden: SiteContentEvent = { type: 'AchievementsHidden', data: {} }
  const shown: SiteContentEvent = { type: 'AchievementsShown', data: {} }

  test('are on the page at first, and each switch that changes something is an event', () => {
    expect(given(siteContentDecider).when(update({ showAchievements: true }))).toEqual(causes())
    expect(given(siteContentDecider).when(update({ showAchievements: false }))).toEqual(causes(hidden))
    expect(given(siteContentDecider, hidden).when(update({ showAchievements: false }))).toEqual(causes())
    expect(given(siteContentDecider, hidden).when(update({ showAchievements: true }))).toEqual(causes(shown))
    expect(given(siteContentDecider, hidden).when(update({ artistName: 'Asha' }))).toEqual(
      causes(named('Asha')),
    )
  })

  test('come back by undo, together with the texts of the same save', () => {
    const then = [named('Asha'), hidden]
    const undo: SiteContentCommand = { type: 'UndoContentChange', events: then }
    expect(given(siteContentDecider, ...then).when(undo)).toEqual(
      causes<SiteContentEvent>(named('', 'Asha'), shown),
    )
    expect(given(siteContentDecider, ...then, shown).when(undo)).toMatchObject(refuses('blocked'))
  })
})

describe('undo', () => {
  const undo = (...events: readonly SiteContentEvent[]): SiteContentCommand => ({
    type: 'UndoContentChange',
    events,
  })
  const payment: SiteContentEvent = {
    type: 'PaymentDetailsChanged',
    data: { changes: { upiId: { from: '', to: 'a1@bank' } } },
  }
  const blog: SiteContentEvent = { type: 'BlogAddressChanged', data: { from: '', to: 'https://a.in' } }

  test('restores all that one command changed', () => {
    const first = named('Asha')
    const then = [named('Asha K', 'Asha'), payment, blog]
    expect(given(siteContentDecider, first, ...then).when(undo(...then))).toEqual(
      causes<SiteContentEvent>(
        named('Asha', 'Asha K'),
        { type: 'PaymentDetailsChanged', data: { changes: { upiId: { from: 'a1@bank', to: '' } } } },
        { type: 'BlogAddressChanged', data: { from: 'https://a.in', to: '' } },
      ),
    )
  })
  test('is refused whole when one of the values was changed since', () => {
    const then = [named('Asha'), blog]
    expect(given(siteContentDecider, ...then, named('Asha K', 'Asha')).when(undo(...then))).toMatchObject(
      refuses('blocked'),
    )
  })
  test('undoes an undo', () => {
    const first = named('Asha')
    const back = named('', 'Asha')
    expect(given(siteContentDecider, first, back).when(undo(back))).toEqual(causes(first))
  })
  test('brings removed samples back as samples', () => {
    const removal: SiteContentEvent = {
      type: 'SampleContentRemoved',
      data: { changes: { artistName: { from: 'Sample Artist', to: '' } } },
    }
    const sample = named('Sample Artist', '', true)
    expect(given(siteContentDecider, sample, removal).when(undo(removal))).toEqual(causes(sample))
    expect(given(siteContentDecider, sample, removal, sample).when({ type: 'RemoveSampleContent' })).toEqual(
      causes(removal),
    )
    expect(given(siteContentDecider, sample, removal, sample).when(undo(sample))).toEqual(causes(removal))
    expect(given(siteContentDecider, sample, removal, named('Asha')).when(undo(removal))).toMatchObject(
      refuses('blocked'),
    )
  })
  test('is not for nothing', () => {
    expect(given(siteContentDecider).when(undo())).toMatchObject(refuses('blocked'))
  })
})

test('the record is always there; its version counts its events', () => {
  expect(given(siteContentDecider).versionFor(update({}))).toBe(0)
  expect(given(siteContentDecider, named('A'), named('B', 'A')).versionFor(update({}))).toBe(2)
})

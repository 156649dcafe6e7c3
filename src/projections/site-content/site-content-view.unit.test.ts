import { describe, expect, it } from 'vitest'
import type { Projection } from '../runtime/projection.ts'
import { getSiteContent } from './queries.ts'
import { siteContentProjection } from './site-content-view.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'
import { payment } from '../testing/artworks.ts'

const html = { siteText: (text: string) => text.replaceAll('<script>', '') }
const contentAfter = async (...history: readonly Happened[]) =>
  getSiteContent(await projected([siteContentProjection as unknown as Projection], history), html, {
    blogUrl: 'https://default.example/',
  })
const texts = (changes: Record<string, { from: string; to: string }>): Happened => ({
  stream: 'site-content',
  event: { type: 'ContentUpdated', data: { changes, sample: false } },
})

describe('the site content as it is answered', () => {
  it('has every key, empty where nothing was saved', async () => {
    const content = await contentAfter(payment('', '', ''))
    expect(Object.keys(content)).toHaveLength(37)
    const { id, version, updatedAt, blogUrl, showAchievements, ...saved } = content
    expect(Object.values(saved).every((text) => text === '')).toBe(true)
    expect(showAchievements).toBe(true)
    expect({ version, updatedAt, blogUrl }).toEqual({
      version: 1,
      updatedAt: timeOf(0),
      blogUrl: 'https://default.example/',
    })
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('follows texts, settings and the blog’s address, and counts them', async () => {
    const content = await contentAfter(
      texts({ artistName: { from: '', to: 'Asha' }, heroTitle: { from: '', to: 'Hills' } }),
      texts({ heroTitle: { from: 'Hills', to: '' } }),
      payment('asha@okbank', 'Asha Rao', 'merchant'),
      {
        stream: 'site-content',
        event: { type: 'BlogAddressChanged', data: { from: '', to: 'https://b.example/' } },
      },
    )
    expect(content).toMatchObject({
      artistName: 'Asha',
      heroTitle: '',
      upiId: 'asha@okbank',
      upiKind: 'merchant',
      blogUrl: 'https://b.example/',
      version: 4,
      updatedAt: timeOf(3),
    })
  })

  it('leaves the default blog address away once the owner has emptied it', async () => {
    const emptied: Happened = {
      stream: 'site-content',
      event: { type: 'BlogAddressChanged', data: { from: 'https://b.example/', to: '' } },
    }
    expect((await contentAfter(emptied)).blogUrl).toBe('')
  })

  it('empties sample texts when they are removed', async () => {
    const removed: Happened = {
      stream: 'site-content',
      event: { type: 'SampleContentRemoved', data: { changes: { artistBio: { from: 'Sample', to: '' } } } },
    }
    const content = await contentAfter(
      texts({ artistBio: { from: '', to: 'Sample' }, artistName: { from: '', to: 'Asha' } }),
      removed,
    )
    expect(content).toMatchObject({ artistBio: '', artistName: 'Asha', version: 2 })
  })

  it('cleans rich text when it is read, whatever stands in the log', async () => {
    const content = await contentAfter(texts({ artistDescription: { from: '', to: '<p>Hi<script></p>' } }))
    expect(content.artistDescription).toBe('<p>Hi</p>')
  })
})

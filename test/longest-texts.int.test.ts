import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { valueFields } from '#domain/artworks/fields.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { messageRules } from '#domain/messages/rules.ts'
import { contentRules } from '#domain/site-content/rules.ts'
import { siteAsSeen, signedIn } from './fixtures/fixture.ts'
import { atelier } from './support/atelier.ts'
import { password, signIn, startSite } from './support/site.ts'

/** Of one byte that JSON writes as two, of three and of four bytes, from right to left, marks that combine. */
const characters = ['"', 'क', '🎨', 'ש', 'e\u0301']

/** As many of one of them as `max` units hold, a few less at each save of a round. */
const filled = (max: number, save: number): string => {
  const character = characters[Math.floor(save / saves) % characters.length] ?? ''
  return character.repeat(Math.floor(max / character.length) - (save % saves))
}

/** How often in a row: of the longest, more than one append to the log holds. */
const saves = 8
const all = Array.from({ length: saves * characters.length }, (_, save) => save)
/** Once in each of them. */
const once = characters.map((_, n) => n * saves)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-longest-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a site whose every text is as long as it may be', () => {
  it('is brought back by its backup, in whatever script', async () => {
    const dataDir = join(folder, 'home')
    const site = await startSite({ dataDir })
    onTestFinished(() => site.stop())
    const cookie = await signIn(site)
    const send = async (method: string, path: string, body: unknown): Promise<{ readonly id: string }> => {
      const answer = await fetch(site.url + path, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      expect([answer.status, text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)])
      return JSON.parse(text) as { readonly id: string } // by the contract
    }
    const contentOf = (n: number) =>
      Object.fromEntries(
        Object.entries(contentRules)
          .filter(([field]) => !/Email|Image|Icon/.test(field))
          .map(([field, { max }]) => [field, filled(max, n)]),
      )
    const ofArtwork = (n: number) => ({
      title: filled(valueFields.title.rule.max, n),
      description: filled(valueFields.description.rule.max, n),
      dimensions: filled(valueFields.dimensions.rule.max, n),
      altText: filled(valueFields.altText.rule.max, n),
      category: filled(fieldLimits.name, n),
      medium: filled(fieldLimits.name, n),
    })
    const { id } = await send('POST', '/api/artworks', {
      ...ofArtwork(0),
      imageUrl: 'https://art.example/a.jpg',
      price: 1,
    })
    const category = await send('POST', '/api/categories', { name: 'Kept' })
    for (const n of all) await send('PUT', '/api/site-content', contentOf(n))
    for (const n of once) await send('PUT', `/api/artworks/${id}`, ofArtwork(n))
    for (const n of once)
      await send('PUT', `/api/categories/${category.id}`, { name: filled(fieldLimits.name, n) })
    await send('POST', '/api/contact', {
      name: filled(messageRules.name.max, saves),
      email: 'asha@art.example',
      subject: 'purchase',
      message: filled(messageRules.message.max, saves),
    })
    const before = await siteAsSeen(site.url, cookie)
    const archive = join(folder, 'site.tar')
    for (const args of [
      ['backup', archive],
      ['backup', 'check', archive],
    ])
      expect(await atelier(dataDir, args, '', site.env)).toMatchObject({ code: 0 })
    await site.stop()

    const back = join(folder, 'back')
    expect(await atelier(back, ['restore', archive])).toMatchObject({ code: 0 })
    const restored = await startSite({ dataDir: back })
    onTestFinished(() => restored.stop())
    const account = await signedIn(restored.url, { username: 'admin', password })
    expect(await siteAsSeen(restored.url, account)).toEqual(before)
  })
})

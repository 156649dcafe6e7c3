import { copyFileSync, mkdtempSync, openAsBlob } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { openEmbedded } from '#infrastructure/embedded/testing/open-embedded.ts'
import { allProjections } from '#projections/all-projections.ts'
import { startProjector } from '#projections/runtime/projector.ts'
import { seeded } from '#infrastructure/testing/seeded.ts'
import { signIn, startSite, type Site } from './support/site.ts'
import { upload } from './support/upload.ts'

const rounds = 5
const writers = 200
const artworks = 20
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

interface Listed {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly price: number
}

const get = async (site: Site, cookie: string, path: string): Promise<readonly Listed[]> => {
  const answer = await fetch(site.url + path, { headers: { cookie } })
  expect(answer.status).toBe(200)
  // The lists asked for here hold these fields.
  return (await answer.json()) as readonly Listed[]
}

const uploadAndAdd = async (site: Site, cookie: string): Promise<readonly string[]> => {
  const file = join(import.meta.dirname, '../samples/yamuna.jpg')
  const { imageUrl } = await upload(site, cookie, await openAsBlob(file))
  const ids: string[] = []
  for (let index = 0; index < artworks; index += 1) {
    const added = await fetch(`${site.url}/api/artworks`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Work 0', price: 0, imageUrl }),
    })
    expect(added.status).toBe(201)
    ids.push(((await added.json()) as Listed).id)
  }
  return ids
}

/** What was acknowledged: names of categories, messages, and for each work the newest number it was given. */
interface Acknowledged {
  readonly categories: Set<string>
  readonly numbers: Map<string, number>
  messages: number
}

/** Writes until the server is gone; each writer waits for its answer before the next write. */
const write = async (
  site: Site,
  cookie: string,
  writer: number,
  ids: readonly string[],
  round: number,
  acknowledged: Acknowledged,
): Promise<void> => {
  const headers = {
    cookie,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${round}.${writer >> 8}.${writer & 255}`,
  }
  for (let count = 0; ; count += 1) {
    try {
      if (writer < artworks) {
        const id = ids[writer] ?? ''
        const number = (acknowledged.numbers.get(id) ?? 0) + 1
        const answer = await fetch(`${site.url}/api/artworks/${id}`, {
          method: 'PUT',
          headers,
          body: JSON.stringify({ title: `Work ${number}`, price: number }),
        })
        if (answer.status !== 200) throw new Error(`PUT answered ${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
        acknowledged.numbers.set(id, number)
      } else if (writer % 5 !== 0) {
        const name = `Category ${round} ${writer} ${count}`
        const answer = await fetch(`${site.url}/api/categories`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ name }),
        })
        if (answer.status !== 201) throw new Error(`POST answered ${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
        acknowledged.categories.add(name)
      } else {
        // 36 writers and 5 rounds stay below the messages that all may send in an hour (spec M-5).
        if (count >= 1) return
        const message = {
          name: 'A',
          email: 'a@b.example',
          subject: 'general',
          message: `Hello ${round} ${writer} ${count}`,
        }
        const answer = await fetch(`${site.url}/api/contact`, {
          method: 'POST',
          headers,
          body: JSON.stringify(message),
        })
        if (answer.status !== 201)
          throw new Error(`Contact answered ${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
        acknowledged.messages += 1
      }
    } catch (error) {
      // A connection that broke with the server is what this test is about; all else is a failure.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

const everything = async (documents: Documents): Promise<unknown> =>
  Promise.all(
    allProjections.map(async ({ view }) => [view.name, await documents.find(view, { order: [] })] as const),
  )

const readModels = async (dataDir: string, options: { readonly fresh: boolean }): Promise<unknown> => {
  const engines = await openEmbedded({ dataDir, secret: null, clock: systemClock, log: quiet })
  const { documents, eventStore } = engines
  if (options.fresh) for (const { view } of allProjections) await documents.drop(view)
  const projector = startProjector({ eventStore, documents, projections: allProjections, log: quiet })
  await projector.ready
  const found = await everything(documents)
  await projector.stop()
  await engines.close()
  return found
}

describe('a server killed in the middle of 200 concurrent writers', () => {
  it('keeps every acknowledged write, no half one, and read models equal to a fresh replay', async () => {
    const random = seeded(Number(process.env['CRASH_SEED'] ?? 4))
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-crash-'))
    const env = { TRUST_PROXY: '1' }
    const acknowledged: Acknowledged = { categories: new Set(), numbers: new Map(), messages: 0 }
    let site = await startSite({ dataDir, env })
    let cookie = await signIn(site)
    const ids = await uploadAndAdd(site, cookie)

    for (let round = 0; round < rounds; round += 1) {
      const { url } = site
      const gone = once(site.process, 'exit')
      const writing = Array.from({ length: writers }, (_, writer) =>
        write(site, cookie, writer, ids, round, acknowledged),
      )
      await pause(700 + random() * 1_500)
      site.process.kill('SIGKILL')
      await gone
      await Promise.all(writing)

      site = await startSite({ dataDir, env })
      cookie = await signIn(site)
      expect(site.url).not.toBe(url)
      const names = new Set((await get(site, cookie, '/api/categories')).map(({ name }) => name))
      expect([...acknowledged.categories].filter((name) => !names.has(name))).toEqual([])
      const artworks = (await get(site, cookie, '/api/artworks')).filter(({ id }) => ids.includes(id))
      expect(artworks).toHaveLength(ids.length)
      for (const artwork of artworks) {
        const least = acknowledged.numbers.get(artwork.id) ?? 0
        // The write that had no answer yet may be there too, but never without its other half.
        expect([least, least + 1]).toContain(artwork.price)
        expect(artwork.title).toBe(`Work ${artwork.price}`)
        acknowledged.numbers.set(artwork.id, artwork.price)
      }
      expect((await get(site, cookie, '/api/contact-messages')).length).toBeGreaterThanOrEqual(
        acknowledged.messages,
      )
    }
    await site.stop()
    console.log(
      `crash test: ${rounds} kills; acknowledged and found again: ${acknowledged.categories.size} categories, ` +
        `${[...acknowledged.numbers.values()].reduce((sum, number) => sum + number, 0)} changes of works, ${acknowledged.messages} messages`,
    )

    const copy = mkdtempSync(join(tmpdir(), 'atelier-replay-'))
    for (const name of ['atelier.db', 'secret']) copyFileSync(join(dataDir, name), join(copy, name))
    expect(await readModels(copy, { fresh: true })).toEqual(await readModels(dataDir, { fresh: false }))
  })
})

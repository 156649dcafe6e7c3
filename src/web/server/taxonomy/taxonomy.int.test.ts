import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
})
afterAll(async () => site.close())

const absent = '0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11'
const sets = [
  ['categories', 'addCategory', 'changeCategory', 'deleteCategory', 'listCategories', 'moveCategory'],
  ['mediums', 'addMedium', 'changeMedium', 'deleteMedium', 'listMediums', 'moveMedium'],
] as const

describe.each(sets)('%s', (_set, add, change, remove, list, move) => {
  const added = async (name: string, more: object = {}) => {
    const answer = await owner.call(add, { body: { name, ...more } })
    expect(answer.status).toBe(201)
    return answer.json
  }
  const names = async (client: Client): Promise<string[]> =>
    (await client.call(list)).json.map(({ name }: { name: string }) => name)

  it('adds with the defaults and shows it at once', async () => {
    const entry = await added('Sea')
    expect(entry).toMatchObject({
      name: 'Sea',
      description: '',
      isActive: true,
      sortOrder: 0,
      usedBy: 0,
      version: 1,
    })
    expect(await names(site.visitor())).toContain('Sea')
  })

  it('are moved before one another, or last; undone they stand where they stood', async () => {
    const sortOrder = 77
    const moving = async () =>
      (await owner.call(list)).json.flatMap((entry: { name: string; sortOrder: number }) =>
        entry.sortOrder === sortOrder ? entry.name : [],
      )
    const [a, b, c] = [
      await added('Move A', { sortOrder }),
      await added('Move B', { sortOrder }),
      await added('Move C', { sortOrder }),
    ]
    const moved = await owner.call(move, { params: { id: c.id }, body: { before: a.id } })
    expect([moved.status, moved.json]).toMatchObject([200, { id: c.id, version: 2 }])
    expect(await moving()).toEqual(['Move C', 'Move A', 'Move B'])
    const nothing = await owner.call(move, { params: { id: c.id }, body: { before: a.id } })
    expect([nothing.json.version, nothing.headers.has('x-activity')]).toEqual([2, false])
    await owner.call('undoActivity', { params: { id: moved.headers.get('x-activity') ?? '' } })
    expect(await moving()).toEqual(['Move A', 'Move B', 'Move C'])
    await owner.call(move, { params: { id: a.id }, body: { before: null } })
    expect(await moving()).toEqual(['Move B', 'Move C', 'Move A'])
    expect((await names(owner)).at(-1)).toBe('Move A')
    expect((await owner.call(move, { params: { id: b.id }, body: { before: absent } })).status).toBe(422)
    expect((await owner.call(move, { params: { id: absent }, body: { before: null } })).status).toBe(404)
    for (const { id } of [a, b, c]) await owner.call(remove, { params: { id } })
  })

  it('shows visitors the active ones, and only the owner how often each is used', async () => {
    await added('Asleep', { isActive: false })
    expect(await names(site.visitor())).not.toContain('Asleep')
    expect(await names(owner)).toContain('Asleep')
    expect((await site.visitor().call(list)).json[0]).not.toHaveProperty('usedBy')
  })

  it('refuses a name that is taken in any spelling, and says which', async () => {
    await added('Still Life')
    const answer = await owner.call(add, { body: { name: '  still   LIFE ' } })
    expect(answer.status).toBe(409)
    expect(answer.json.fields.name).toContain('Still Life')
  })

  it.each(['all', 'All Artwork', ''])('refuses the name "%s"', async (name) => {
    expect((await owner.call(add, { body: { name } })).status).toBe(422)
  })

  it('refuses a sort order that is no number', async () => {
    const answer = await owner.call(add, { body: { name: 'Odd', sortOrder: 'abc' } })
    expect(answer.status).toBe(422)
    expect(answer.json.fields).toHaveProperty('sortOrder')
  })

  it('lets one of many racers on one name win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.call(add, { body: { name: 'Wanted' } })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
  })

  it('takes 50 names that are sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => owner.call(add, { body: { name: `Number ${n}` } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await names(site.visitor())).filter((name) => name.startsWith('Number '))).toHaveLength(50)
  })

  it('orders by sort order, then by name', async () => {
    await added('Zebra first', { sortOrder: -5 })
    await added('Apple first', { sortOrder: -5 })
    expect((await names(site.visitor())).slice(0, 2)).toEqual(['Apple first', 'Zebra first'])
  })

  it('refuses a stale version with the entry as it is now', async () => {
    const { id } = await added('Contested')
    await owner.call(change, { params: { id }, body: { description: 'newer' } })
    const body = { description: 'older', expectedVersion: 1 }
    const answer = await owner.call(change, { params: { id }, body })
    expect(answer.status).toBe(409)
    expect(answer.json.current).toMatchObject({ id, description: 'newer', version: 2 })
  })

  it('deletes once', async () => {
    const { id } = await added('Short-lived')
    expect((await owner.call(remove, { params: { id } })).status).toBe(204)
    expect((await owner.call(remove, { params: { id } })).status).toBe(404)
    expect(await names(owner)).not.toContain('Short-lived')
  })

  it('is changed by the owner only', async () => {
    expect((await site.visitor().call(add, { body: { name: 'x' } })).status).toBe(401)
  })
})

describe('a rename', () => {
  it('follows to every work, leaves its version alone and is counted', async () => {
    const imageUrl = await uploadImage(owner)
    const category = (await owner.call('addCategory', { body: { name: 'Old name' } })).json
    const artwork = await owner.call('addArtwork', { body: { title: 'A', imageUrl, category: 'old NAME' } })
    expect(artwork.json.category).toBe('Old name')
    const params = { id: category.id }
    const renamed = await owner.call('changeCategory', { params, body: { name: 'New name' } })
    expect(renamed.json.usedBy).toBe(1)
    const after = await site.visitor().call('getArtwork', { params: { id: artwork.json.id } })
    expect(after.json).toMatchObject({ category: 'New name', version: 1 })
    expect((await owner.call('deleteCategory', { params })).status).toBe(204)
    expect((await site.visitor().call('getArtwork', { params: { id: artwork.json.id } })).json.category).toBe(
      'New name',
    )
  })
})

import { describe, expect, it, vi } from 'vitest'
import { makeArtwork, makePageData, uuid } from '#web/contract/testing/page-data.ts'
import { type PublicModel, stateOf } from './page-data.ts'
import { createPageStore, type ModelLoader, type PageStoreOptions } from './page-store.ts'

const data = makePageData(3)
const models = {
  'site-content': data.siteContent,
  artworks: data.artworks,
  categories: data.categories,
  'blog-posts': data.blogPosts,
}

const storeWith = (options: Partial<PageStoreOptions> = {}) => {
  const load = vi.fn<(model: PublicModel) => Promise<unknown>>(async (model) => models[model])
  const loadArtwork = vi.fn<ModelLoader['loadWork']>(async (id) =>
    makeArtwork(Number.parseInt(id.slice(-4), 16)),
  )
  const loader = vi.fn<PageStoreOptions['loader']>(async () => ({
    // Each model's own data under its own name, as the server would answer.
    load: load as ModelLoader['load'],
    loadWork: loadArtwork,
  }))
  return { store: createPageStore({ loader, ...options }), load, loadWork: loadArtwork, loader }
}

describe('a page that brought its data', () => {
  it('loads nothing', async () => {
    const { store, loader } = storeWith({ initial: stateOf(data) })
    await store.fill()
    expect(loader).not.toHaveBeenCalled()
  })
})

describe('a page without data', () => {
  it('fetches every model once, however often it is asked', async () => {
    const { store, load } = storeWith()
    await Promise.all([store.fill(), store.fill()])
    expect(load.mock.calls.map(([model]) => model).toSorted()).toEqual(Object.keys(models).toSorted())
    expect(store.get()).toEqual(stateOf(data))
  })

  it('fails one model alone and tells so, until Retry brings it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { store, load } = storeWith()
    load.mockImplementationOnce(() => Promise.reject(new Error('500: Away')))
    await store.fill()
    expect(store.get()['site-content']).toEqual({ status: 'failed', retrying: false })
    expect(store.get().artworks.status).toBe('ready')
    expect(warn).toHaveBeenCalled()
    const seen: unknown[] = []
    store.subscribe(() => seen.push(store.get()['site-content']))
    await store.retry('site-content')
    expect(seen).toEqual([
      { status: 'failed', retrying: true },
      { status: 'ready', data: data.siteContent },
    ])
    warn.mockRestore()
  })

  it('fails in the same way when the loading chunk itself cannot be fetched', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { store } = storeWith({ loader: () => Promise.reject(new Error('offline')) })
    await store.fill()
    expect(store.get().artworks).toEqual({ status: 'failed', retrying: false })
    warn.mockRestore()
  })
})

describe('a big gallery', () => {
  const light = { ...data, artworks: data.artworks.map((artwork) => ({ ...artwork, description: '' })) }

  it('completes a work when it is opened, once', async () => {
    const { store, loadWork: loadArtwork } = storeWith({ initial: stateOf(light), whole: [] })
    expect(store.describes(uuid(1))).toBe(false)
    await Promise.all([store.complete(uuid(1)), store.complete(uuid(1))])
    await store.complete(uuid(1))
    expect(loadArtwork).toHaveBeenCalledTimes(1)
    expect(store.describes(uuid(1))).toBe(true)
    expect(store.get().artworks).toMatchObject({
      data: [{}, { description: makeArtwork(1).description }, {}],
    })
  })

  it('asks again after a failure', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { store, loadWork: loadArtwork } = storeWith({ initial: stateOf(light), whole: [] })
    loadArtwork.mockImplementationOnce(() => Promise.reject(new Error('offline')))
    await store.complete(uuid(1))
    expect(store.describes(uuid(1))).toBe(false)
    await store.complete(uuid(1))
    expect(store.describes(uuid(1))).toBe(true)
    warn.mockRestore()
  })

  it('is whole once the list itself was fetched', () => {
    const { store } = storeWith({ initial: stateOf(light), whole: [uuid(0)] })
    store.put('artworks', data.artworks)
    expect(store.describes(uuid(2))).toBe(true)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeNotice } from '#web/contract/changes.ts'
import type { ChangeListener } from '../lib/changes.ts'
import { createChangeStream } from './change-stream.ts'

/** The streams that a page has opened, each with what it has asked for. */
let streams: FakeEventSource[] = []

class FakeEventSource extends EventTarget {
  readonly readyState = 1
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    streams.push(this)
  }
  close(): void {}
  say(notice: ChangeNotice): void {
    this.dispatchEvent(new MessageEvent('change', { data: JSON.stringify(notice) }))
  }
}

/** Of a browser with one tab. */
class LonelyChannel extends EventTarget {
  postMessage(): void {}
}

const realNavigator = navigator
const page = new (class extends EventTarget {
  visibilityState = 'visible'
  get hidden(): boolean {
    return this.visibilityState === 'hidden'
  }
})()
const otherTab = new BroadcastChannel('atelier-changes')

beforeEach(() => {
  streams = []
  page.visibilityState = 'visible'
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  // Without Web Locks every tab listens for itself.
  vi.stubGlobal('navigator', {})
})
afterEach(() => vi.unstubAllGlobals())

describe('the change stream of a page', () => {
  it('asks how the page stands even when another tab has told of something while it was hidden', async () => {
    page.visibilityState = 'hidden'
    const heard = vi.fn<ChangeListener>()
    createChangeStream('7', () => undefined).onChanges(heard, 'page')
    otherTab.postMessage({ notice: { models: ['blog-posts'], position: '9' } })
    await expect.poll(() => heard).toHaveBeenCalledWith(['blog-posts'], '9')
    expect(streams).toEqual([])
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(streams.map(({ address }) => address)).toEqual(['/api/changes?page=7'])
    streams[0]?.say({ models: ['artworks'], position: '9' })
    expect(heard).toHaveBeenLastCalledWith(['artworks'], '9')
    for (const visibilityState of ['hidden', 'visible']) {
      page.visibilityState = visibilityState
      page.dispatchEvent(new Event('visibilitychange'))
    }
    expect(streams.at(-1)?.address).toBe('/api/changes?after=9')
  })

  it('asks from where it was told itself, whatever another tab has told of while it was hidden', async () => {
    const heard = vi.fn<ChangeListener>()
    createChangeStream('7', () => undefined).onChanges(heard, 'page')
    streams[0]?.say({ models: ['categories'], position: '9' })
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    otherTab.postMessage({ notice: { models: ['blog-posts'], position: '12' } })
    await expect.poll(() => heard).toHaveBeenLastCalledWith(['blog-posts'], '12')
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(streams.at(-1)?.address).toBe('/api/changes?after=9')
  })

  it('has one stream when it is opened anew: its own lock is there again by then', async () => {
    const { locks } = realNavigator
    vi.stubGlobal('navigator', { locks })
    vi.stubGlobal('BroadcastChannel', LonelyChannel)
    const changes = createChangeStream('7', () => undefined)
    changes.open()
    await expect.poll(() => streams).toHaveLength(1)
    streams[0]?.say({ models: [], position: '8' })
    changes.reopen()
    await expect.poll(() => streams).toHaveLength(2)
    streams[1]?.say({ models: [], position: '9' })
    await expect.poll(async () => (await locks.query()).held).toHaveLength(1)
    expect(streams.map(({ address }) => address)).toEqual(['/api/changes?page=7', '/api/changes?after=8'])
  })

  it('listens for itself where the site may keep nothing, and has neither channel nor lock', async () => {
    const refuse = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          refuse()
        }
      },
    )
    vi.stubGlobal('navigator', { locks: { request: async () => refuse() } })
    const heard = vi.fn<ChangeListener>()
    createChangeStream('7', () => undefined).onChanges(heard, 'page')
    await expect.poll(() => streams).toHaveLength(1)
    streams[0]?.say({ models: ['artworks'], position: '8' })
    expect(heard).toHaveBeenCalledWith(['artworks'], '8')
  })

  it('tells that it was opened anew, but not of its first stream nor of one after a login here', () => {
    vi.stubGlobal('BroadcastChannel', LonelyChannel)
    const changes = createChangeStream('7', () => undefined)
    let times = 0
    changes.onOpened(() => (times += 1))
    const open = () => streams.at(-1)?.dispatchEvent(new Event('open'))
    changes.open()
    open()
    changes.reopen()
    open()
    expect([streams.length, times]).toEqual([2, 0])
    // The browser's own: the server had ended it.
    open()
    expect(times).toBe(1)
  })

  it('wakes no program while the page is hidden, and does once it is shown', async () => {
    page.visibilityState = 'hidden'
    const wake = vi.fn<() => void>()
    const changes = createChangeStream('7', wake)
    changes.open()
    const told = new Promise((resolve) => {
      new BroadcastChannel('atelier-changes').addEventListener('message', resolve, { once: true })
    })
    otherTab.postMessage({ notice: { models: ['artworks'], position: '9' } })
    await told
    expect(wake).not.toHaveBeenCalled()
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    streams[0]?.say({ models: ['artworks'], position: '9' })
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('wakes the program at a change that a page shows, and tells it then of all', () => {
    const wake = vi.fn<() => void>()
    const changes = createChangeStream('7', wake)
    changes.open()
    streams[0]?.say({ models: ['mediums'], position: '8' })
    expect(wake).not.toHaveBeenCalled()
    streams[0]?.say({ models: ['mediums', 'artworks'], position: '9' })
    expect(wake).toHaveBeenCalledOnce()
    const heard = vi.fn<ChangeListener>()
    changes.onChanges(heard, 'page')
    expect(heard).toHaveBeenCalledWith(['mediums', 'mediums', 'artworks'], '9')
  })

  it('tells the page while a save waits, but not while the dashboard covers it', () => {
    const changes = createChangeStream('7', () => undefined)
    const heard: string[] = []
    changes.onChanges(() => heard.push('page'), 'page')
    changes.onChanges(() => heard.push('save'), 'save')
    streams[0]?.say({ models: ['artworks'], position: '8' })
    expect(heard.splice(0)).toEqual(['page', 'save'])
    const close = changes.onChanges(() => heard.push('dashboard'), 'dashboard')
    streams[0]?.say({ models: ['artworks'], position: '9' })
    expect(heard.splice(0)).toEqual(['save', 'dashboard'])
    close()
    streams[0]?.say({ models: ['artworks'], position: '10' })
    expect(heard).toEqual(['page', 'save'])
  })

  it('tells that another tab opened the stream of all anew', async () => {
    const { locks } = realNavigator
    vi.stubGlobal('navigator', { locks })
    const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>()
    void locks.request('atelier-changes', () => isOver)
    const changes = createChangeStream('7', () => undefined)
    const opened = vi.fn<() => void>()
    changes.onOpened(opened)
    changes.open()
    await expect.poll(() => streams).toHaveLength(1)
    streams[0]?.dispatchEvent(new Event('open'))
    otherTab.postMessage({ opened: true })
    await expect.poll(() => opened).toHaveBeenCalledTimes(1)
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    end(undefined)
  })
})

import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSafeFetch } from '../safe-fetch/safe-fetch.ts'
import { openBlogFeed } from './blog-feed.ts'
import { ReadingGivenUp, readingThread, type ReadingThread } from './reading-thread.ts'

/** Stands in for the real reader: what it does is told by the text it is asked to read. */
const standIn = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', ({ ask }) => {
  switch (ask.post?.contentHtml ?? Buffer.from(ask.body).toString()) {
    case 'hang': for (;;) {}
    case 'eat': { const eaten = []; for (;;) eaten.push(new Array(100_000).fill(eaten.length)) }
    case 'throw': parentPort.postMessage({ type: 'failed', message: 'broken' }); break
    default: parentPort.postMessage({ type: 'read', answer: threadId })
  }
})
parentPort.postMessage({ type: 'ready' })
`
const never = new AbortController().signal
const ask = (thread: ReadingThread, text: string, signal: AbortSignal) =>
  thread.ask(
    'feed',
    {
      body: Buffer.from(text),
      charset: null,
      url: 'https://blog.example/feed',
      mostPosts: 1,
      room: Infinity,
    },
    signal,
  )

let folder: string
let module: URL
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-reading-'))
  const path = join(folder, 'stand-in.mjs')
  await writeFile(path, standIn)
  module = pathToFileURL(path)
})
afterAll(() => rm(folder, { recursive: true }))

describe('the reading thread', () => {
  it('gives up a text that takes too long, and reads what comes behind it', async () => {
    const thread = readingThread({ module, pageMs: 300 })
    const hanging = ask(thread, 'hang', never)
    const behind = ask(thread, 'x', never)
    await expect(hanging).rejects.toThrow(ReadingGivenUp)
    expect(await behind).toEqual(expect.any(Number))
  })

  it('gives up a text that takes all memory, and reads what comes behind it', async () => {
    const thread = readingThread({ module })
    const eating = ask(thread, 'eat', never)
    const behind = ask(thread, 'x', never)
    await expect(eating).rejects.toThrow('more memory')
    expect(await behind).toEqual(expect.any(Number))
  })

  it('goes on with the same thread behind a text that could not be read', async () => {
    const thread = readingThread({ module })
    const before = await ask(thread, 'x', never)
    await expect(ask(thread, 'throw', never)).rejects.toThrow(ReadingGivenUp)
    expect(await ask(thread, 'x', never)).toBe(before)
  })

  it('stops at once when it is told to', async () => {
    const thread = readingThread({ module })
    const stopping = new AbortController()
    const hanging = ask(thread, 'hang', stopping.signal)
    stopping.abort(new Error('The site is stopping'))
    await expect(hanging).rejects.toThrow('The site is stopping')
    expect(await ask(thread, 'x', never)).toEqual(expect.any(Number))
  })

  it('says that it broke off when it cannot be started', async () => {
    const thread = readingThread({ module: pathToFileURL(join(folder, 'nowhere.mjs')) })
    await expect(ask(thread, 'x', never)).rejects.toThrow('broke off')
  })
})

describe('a post that cannot be read in time', () => {
  it('comes as its title and a link to it, and is told', async () => {
    const told: (string | null)[] = []
    const feed = openBlogFeed(openSafeFetch(), {
      thread: readingThread({ module, postMs: 300 }),
      onGivenUp: (url) => told.push(url),
    })
    const url = 'https://blog.example/1'
    const post = { title: 'Rain & <sun>', contentHtml: 'hang', url }
    expect(await feed.readPost(post, never)).toEqual({
      title: 'Rain & <sun>',
      content: `<p><a href="${url}" rel="noopener noreferrer" target="_blank">Read on in the blog</a></p>`,
      isGivenUp: true,
    })
    expect(told).toEqual([url])
  })
})

/**
 * The reading thread: what others have written is parsed here, so that a text that takes long, or all memory that
 * the thread may have, costs nothing but this thread.
 */
import { reasonOf } from '#application/kernel/reason.ts'
import { parentPort } from 'node:worker_threads'
import { readablePost } from '#application/journal/readable-post.ts'
import { createHtmlSanitiser } from '../html/sanitiser.ts'
import { feedLinks } from './addresses.ts'
import { readFeed } from './feed.ts'
import type { FromReader, Reading, ReadingKind, Readings } from './reading-thread.ts'

const html = createHtmlSanitiser()

const read = async (reading: Reading): Promise<Readings[ReadingKind]['answer']> => {
  switch (reading.kind) {
    case 'feed':
      return readFeed(reading.ask.text, reading.ask.url, reading.ask.mostPosts)
    case 'links':
      return feedLinks(reading.ask.text, reading.ask.url)
    case 'post':
      return readablePost(html, reading.ask.post)
  }
}

const tell = (message: FromReader): void => parentPort?.postMessage(message)

parentPort?.on('message', (reading: Reading) => {
  void read(reading).then(
    (answer) => tell({ type: 'read', answer }),
    (error: unknown) => tell({ type: 'failed', message: reasonOf(error) }),
  )
})
tell({ type: 'ready' })

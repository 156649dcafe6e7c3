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

/** The body as text, in the encoding that the server or the file itself names. */
const textOf = ({ body, charset }: Readings['links']['ask']): string => {
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/u.exec(
    Buffer.from(body.subarray(0, 200)).toString('latin1'),
  )?.[1]
  const label = charset ?? declared ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // A label nobody knows: the web's own default is the best guess.
    return new TextDecoder('utf-8').decode(body)
  }
}

const read = async (reading: Reading): Promise<Readings[ReadingKind]['answer']> => {
  switch (reading.kind) {
    case 'feed':
      return readFeed(textOf(reading.ask), reading.ask.url, reading.ask)
    case 'links':
      return feedLinks(textOf(reading.ask), reading.ask.url)
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

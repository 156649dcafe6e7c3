import type { Socket } from 'node:net'
import { afterTurns } from '#application/kernel/after-turns.ts'

/** The servers of a site, by the names under which `EngineAway` tells of them. */
export type ServerKind = 'log' | 'mongodb' | 'redis'

/** How a server is greeted, and how one of its kind is known by what it answers. */
interface Greeting {
  readonly kind: ServerKind
  /** who answers so, in words */
  readonly server: string
  readonly words: Buffer
  readonly isAnswered: (answer: Buffer) => boolean
}

/** The preface of HTTP/2, and settings that set nothing. */
const http2 = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('000000040000000000', 'hex'),
])
/** Settings or a farewell. */
const http2Frames: ReadonlySet<number | undefined> = new Set([4, 7])

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
const withLength = (rest: Buffer): Buffer => Buffer.concat([int32(rest.length + 4), rest])
const message = 2_013
const olderReply = 1
const requestId = 1
/** `{ hello: 1, $db: 'admin' }`: the one question that everybody may ask. */
const hello = withLength(
  Buffer.concat([
    Buffer.from('\x10hello\0'),
    int32(1),
    Buffer.from('\x02$db\0'),
    int32('admin'.length + 1),
    Buffer.from('admin\0\0'),
  ]),
)
const helloMessage = withLength(
  Buffer.concat([int32(requestId), int32(0), int32(message), int32(0), Buffer.from('\0'), hello]),
)

const greetings: readonly Greeting[] = [
  {
    kind: 'log',
    server: 'one of HTTP/2, as EventStoreDB is',
    words: http2,
    isAnswered: (answer) => answer[0] === 0 && http2Frames.has(answer[3]),
  },
  {
    kind: 'mongodb',
    server: 'MongoDB',
    words: helloMessage,
    isAnswered: (answer) =>
      answer.length >= 16 &&
      answer.readInt32LE(8) === requestId &&
      [message, olderReply].includes(answer.readInt32LE(12)),
  },
  {
    kind: 'redis',
    server: 'Redis',
    words: Buffer.from('PING\r\n'),
    isAnswered: (answer) => /^(\+PONG|-[A-Z]+ )/.test(answer.toString('latin1')),
  },
]

/** Whose answers these are, in words; null for those that nobody here knows. */
const serverIn = (answers: readonly Buffer[]): string | null => {
  // One of HTTP/2 may answer the greetings of others as any web server does.
  const known = greetings.find(({ isAnswered }) => answers.some(isAnswered))
  if (known !== undefined) return known.server
  return answers.some((answer) => answer.toString('latin1').startsWith('HTTP/')) ? 'a web server' : null
}

/** What a server is found to be by what it answers. */
export type Found =
  | { readonly is: 'right' }
  /** @property server in words; null for one that nobody here knows */
  | { readonly is: 'another'; readonly server: string | null }
  /** it ends the connection without a word */
  | { readonly is: 'closed' }
  | { readonly is: 'silent' }

/** What is heard on an open connection after a greeting; null where it says nothing for `ms`, empty where it ends. */
const heardAfter = (socket: Socket, words: Buffer, ms: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const end = (heard: Buffer | null): void => {
      keepTime.end()
      socket.destroy()
      resolve(heard)
    }
    const keepTime = afterTurns(ms, () => end(null))
    socket.once('data', end)
    for (const event of ['end', 'close', 'error']) socket.once(event, () => end(Buffer.alloc(0)))
    socket.write(words)
  })

/** Whether anything is said to the greeting of a kind, whoever says it. @param connect opens a connection to greet over */
export const givesSign = async (
  connect: () => Promise<Socket>,
  kind: ServerKind,
  ms: number,
): Promise<boolean> => {
  const words = greetings.find((each) => each.kind === kind)?.words ?? Buffer.alloc(0)
  const heard = await heardAfter(await connect(), words, ms)
  return heard !== null && heard.length > 0
}

/**
 * What answers at a place: greeted as one of the kind that is looked for, and where that is not understood as one of each other
 * kind.
 * @param connect opens a connection there
 * @param ms how long an answer is waited for
 */
export const findAt = async (
  connect: () => Promise<Socket>,
  kind: ServerKind,
  ms: number,
): Promise<Found> => {
  const greet = async ({ words }: Greeting): Promise<Buffer | null> => heardAfter(await connect(), words, ms)
  const [right, ...others] = greetings.toSorted((a, b) => Number(b.kind === kind) - Number(a.kind === kind))
  const first = right === undefined ? null : await greet(right)
  if (first !== null && right?.isAnswered(first)) return { is: 'right' }
  const answers = [first, ...(await Promise.all(others.map((other) => greet(other).catch(() => null))))]
  const said = answers.flatMap((answer) => (answer === null || answer.length === 0 ? [] : [answer]))
  if (said.length > 0) return { is: 'another', server: serverIn(said) }
  return { is: first === null ? 'silent' : 'closed' }
}

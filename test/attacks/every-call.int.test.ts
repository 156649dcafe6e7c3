import { openAsBlob } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { seeded } from '#infrastructure/testing/seeded.ts'
import type { Call } from '#web/contract/call.ts'
import { calls } from '#web/contract/calls.ts'
import { signIn, type Site } from '../support/site.ts'
import { upload } from '../support/upload.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'

const random = seeded(Number(process.env['ATTACK_SEED'] ?? 29))
const asked = 3_000
const atOnce = 12
const image = join(import.meta.dirname, '../../samples/yamuna.jpg')

const pick = <T>(...all: readonly [T, ...T[]]): T => all[Math.floor(random() * all.length)] ?? all[0]
const upTo = (most: number): number => Math.floor(random() * most)
const hex = (length: number): string => Array.from({ length }, () => upTo(16).toString(16)).join('')

const table = Object.values<Call>(calls)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'] as const
const pages = [
  '/',
  '/admin',
  '/feed.xml',
  '/sitemap.xml',
  '/metrics',
  '/readyz',
  '/nowhere',
  '*',
  '//x',
] as const
const odd = ['%', '%ff', '%00', '%c0%ae', '..', '__proto__', 'constructor', '%F0%9F%98%80', '{id}'] as const
/** A letter that is never kept: no person fills in the first field. */
const trapped = {
  website: 'x',
  name: 'Asha',
  email: 'asha@example.org',
  subject: 'general',
  message: 'Hello',
}

/** What strangers may not see, and where it would stand. */
interface Hidden {
  readonly ids: readonly [string, ...string[]]
  readonly paths: readonly [string, ...string[]]
}

const pathOf = (call: Call, { ids }: Hidden): string =>
  call.path.replaceAll(/\{\w+\}/g, () => pick(pick(...ids), pick(...odd), 'a'.repeat(upTo(3_000))))

const targetOf = (call: Call, hidden: Hidden): string =>
  pick(
    pathOf(call, hidden),
    pathOf(call, hidden),
    pick(...pages),
    pick(...hidden.paths),
    `/artwork/${pick(...odd)}-${pick(...hidden.ids)}`,
    `/images/${hex(64)}/${pick('480.avif', 'card.jpg', 'original-view.jpg')}`,
    `/qr/${pick(hex(32), pick(...odd))}.png`,
    `http://x${pathOf(call, hidden)}`,
  )

const queryOf = (): string =>
  pick('', '', `?category=${pick(...odd)}`, `?page=${pick(...odd)}&page=1`, `?${'a&'.repeat(upTo(6_000))}`)

const valueOf = (): unknown =>
  pick<unknown>(
    '',
    null,
    -1,
    true,
    [],
    {},
    [[[]]],
    '\0',
    '\ud800',
    'a'.repeat(upTo(20_000)),
    'e\u0301'.repeat(900),
  )

const fieldsOf = (): Record<string, unknown> => ({
  ...trapped,
  [pick('name', 'email', 'subject', 'message', 'artworkId', 'key', 'openedAt', 'constructor', 'x')]:
    valueOf(),
})

const bodyOf = (): readonly [type: string, body: string] =>
  pick<() => readonly [string, string]>(
    () => ['application/json', JSON.stringify(fieldsOf())],
    () => ['application/json', JSON.stringify({ username: `u${upTo(99)}`, password: valueOf() })],
    () => [
      'application/json',
      JSON.stringify(fieldsOf()).replace('{', '{"\\u005f_proto__":{},"name":"one",'),
    ],
    () => ['application/json', pick('[', '{"a":').repeat(upTo(9_000))],
    () => ['application/x-www-form-urlencoded', new URLSearchParams(trapped).toString().replace('Asha', '')],
    () => ['application/x-www-form-urlencoded', pick('a=b&', '%', '&', '__proto__=1&').repeat(upTo(12_000))],
    () => [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name=a\r\n\r\n'.repeat(999),
    ],
  )()

const compressed = (body: string): readonly [head: string, bytes: Buffer] =>
  pick<() => readonly [string, Buffer]>(
    () => ['', Buffer.from(body)],
    () => ['', Buffer.from(body)],
    () => ['content-encoding: gzip\r\n', gzipSync(pick(body, 'a'.repeat(3_000_000)))],
    () => ['content-encoding: br\r\n', brotliCompressSync(body).subarray(0, pick(9, 90_000))],
  )()

const headOf = (): string =>
  pick(
    '',
    'expect: 100-continue\r\n',
    `range: bytes=${pick('0-0', '5-1', '-1', '0-0,'.repeat(99))}\r\n`,
    `if-none-match: ${pick('*', '"a",'.repeat(999))}\r\n`,
    `cookie: ${pick('atelier=x; atelier.sig=y', '__proto__=x', 'a=b; '.repeat(999))}\r\n`,
    `origin: ${pick('null', 'https://evil.example', 'x')}\r\n`,
    `idempotency-key: ${pick('k', '', '\u00e9', 'k'.repeat(201))}\r\n`,
    `authorization: Bearer ${pick('x', 'x'.repeat(5_000))}\r\n`,
    `accept: text/html\r\naccept-encoding: ${pick('br', 'gzip;q=NaN', '*;q=0')}\r\n`,
    'transfer-encoding: chunked\r\n',
    'upgrade: h2c\r\n',
    'host: second\r\n',
    `x-odd: ${'a'.repeat(upTo(17_000))}\r\n`,
  )

const requestOf = (hidden: Hidden): readonly [head: string, bytes: Buffer] => {
  const call = pick(...(table as [Call, ...Call[]]))
  const line = `${pick(call.method, call.method, pick(...methods))} ${targetOf(call, hidden)}${queryOf()} HTTP/1.1`
  const from = pick(
    `198.51.${upTo(256)}.${upTo(256)}`,
    `1.1.1.1, 2001:db8:${hex(4)}::1`,
    `::ffff:10.0.0.${upTo(256)}`,
  )
  const [type, body] = pick<readonly [string, string]>(['', ''], bodyOf(), bodyOf())
  const [packing, bytes] = compressed(body)
  const carried = type === '' ? '' : `content-type: ${type}\r\n${packing}content-length: ${bytes.length}\r\n`
  return [
    `${line}\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: ${from}\r\n${carried}${headOf()}${headOf()}\r\n`,
    type === '' ? Buffer.alloc(0) : bytes,
  ]
}

await describeAttacks('every call', (start) => {
  const token = 'a token that nobody was told'
  const secrets = ['Unseen by strangers', 'Written to her alone', token, 'node_modules', 'argon2id', '.ts:']
  let site: Site
  let cookie: string
  let hidden: Hidden

  const ask = async (path: string, method = 'GET', body?: object): Promise<unknown> => {
    const headers = { cookie, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(site.url + path, { method, headers, ...sent })).json()
  }
  const kept = async () => [
    await ask('/api/contact-messages'),
    await ask('/api/activity'),
    await ask('/api/artworks'),
  ]

  beforeAll(async () => {
    site = await start({ TRUST_PROXY: '1', METRICS_TOKEN: token })
    cookie = await signIn(site)
    const { imageUrl } = await upload(site, cookie, await openAsBlob(image))
    const fields = { title: 'Unseen by strangers', price: 10_000, imageUrl, isVisible: false }
    const { id, slug } = (await ask('/api/artworks', 'POST', fields)) as { id: string; slug: string }
    await ask('/api/contact', 'POST', { ...trapped, website: '', message: 'Written to her alone' })
    // Until its mail and the image's sizes are told of as well.
    const [message] = await vi.waitUntil(
      async () => {
        const messages = (await ask('/api/contact-messages')) as readonly { id: string; mail: string }[]
        const [artwork] = (await ask('/api/artworks')) as readonly { image: { ready: boolean } | null }[]
        return messages[0]?.mail === 'off' && artwork?.image?.ready === true && messages
      },
      { timeout: 60_000 },
    )
    hidden = { ids: [id, message?.id ?? ''], paths: [`/artwork/${slug}-${id}`, `/qr/work/${id}.svg`] }
  })
  afterAll(() => site?.stop())

  /** What a stranger's request is answered with; of what has no end, what came at once. */
  const answered = async (head: string, bytes: Buffer): Promise<string> => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    const timer = setTimeout(() => socket.end().destroy(), head.includes('/api/changes') ? 200 : 10_000)
    socket.write(head, 'latin1')
    socket.write(bytes)
    const answer = await text(socket).catch(() => '')
    clearTimeout(timer)
    return answer
  }

  it('is answered to whatever a stranger sends, tells nothing, keeps nothing and holds nobody up', async () => {
    const before = await kept()
    const wrong: string[] = []
    let unanswered = 0
    let left = asked
    const strangers = async (): Promise<void> => {
      while (left-- > 0) {
        const [head, bytes] = requestOf(hidden)
        const answer = await answered(head, bytes)
        if (answer === '') unanswered += 1
        const isFailure = /^HTTP\/1\.1 50[02]/.test(answer)
        const told = secrets.filter((secret) => answer.includes(secret) && !head.includes(secret))
        if (isFailure || told.length > 0)
          wrong.push(
            [...told, head.slice(0, 300), String(bytes.subarray(0, 200)), answer.slice(0, 300)].join(' | '),
          )
      }
    }
    const { waiting } = await whileAsking(site, () => Promise.all(Array.from({ length: atOnce }, strangers)))
    expect(wrong).toEqual([])
    // Some requests a server may close without a word, but a site that answers none has held nothing.
    expect(unanswered).toBeLessThan(asked / 10)
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
    expect(await kept()).toEqual(before)
    expect(site.output()).not.toContain('A request failed')
  })
})

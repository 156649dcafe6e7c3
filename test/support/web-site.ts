import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Call, answersOf } from '#web/contract/call.ts'
import { type CallName, calls } from '#web/contract/calls.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { createLog } from '#infrastructure/log/log.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { onlyClear } from '#web/server/door/unheard.ts'
import { openSite } from '../../src/composition/site.ts'

export const password = 'a few words that are mine'

/** An answer of the site, whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the body as JSON; undefined where it is none */
  // Tests look into answers of every shape; what they find there they say themselves.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** sent as it is, instead of `body` */
  readonly raw?: BodyInit
}

/** A browser or program that keeps its cookies. */
export interface Client {
  /** Sends any request. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  /** Sends a call of the contract and holds the answer against it: its status must be declared, its body fit. */
  readonly call: (name: CallName, sent?: Sent) => Promise<Answer>
  readonly cookies: () => string
  readonly signIn: () => Promise<Client>
}

export interface WebSite {
  readonly url: string
  readonly dataDir: string
  /** a client that is not signed in */
  readonly visitor: () => Client
  /** a client that is */
  readonly owner: () => Promise<Client>
  /** files that are being worked on */
  readonly scratchFiles: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const pathOf = (call: Call, params: Readonly<Record<string, string>> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** Throws when an answer is not one that the contract declares for the call. */
const holdAgainst = (call: Call, answer: Answer): void => {
  const declared = answersOf(call)
  const schema = declared[answer.status]
  if (schema === undefined) {
    throw new Error(
      `${call.name} answered ${answer.status}, which its contract does not know: ${answer.text}`,
    )
  }
  if (schema === null) return
  const parsed = schema.safeParse(answer.json)
  if (!parsed.success) {
    throw new Error(
      `${call.name} ${answer.status} does not fit its contract: ${JSON.stringify(parsed.error.issues)}`,
    )
  }
}

const clientOf = (url: string): Client => {
  const jar = new Map<string, string>()
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const [, expires = ''] = /; expires=([^;]+)/i.exec(line) ?? []
      const isOver = expires !== '' && Date.parse(expires) <= Date.now()
      if (isOver) jar.delete(name)
      else jar.set(name, value)
    }
  }

  const send: Client['send'] = async (method, path, sent = {}) => {
    const headers: Record<string, string> = { ...sent.headers }
    if (jar.size > 0 && headers['cookie'] === undefined) headers['cookie'] = cookies()
    let body: BodyInit | null = sent.raw ?? null
    if (sent.body !== undefined) {
      headers['content-type'] ??= 'application/json'
      body = JSON.stringify(sent.body)
    }
    const target = sent.query === undefined ? path : `${path}?${sent.query}`
    const request: RequestInit = { method, headers, body, redirect: 'manual' }
    const response = await fetch(url + target, request)
    keep(response.headers)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }

  const client: Client = {
    send,
    call: async (name, sent = {}) => {
      const call: Call = calls[name]
      const answer = await send(call.method, pathOf(call, sent.params), sent)
      holdAgainst(call, answer)
      return answer
    },
    cookies,
    signIn: async () => {
      const answer = await client.call('login', { body: { username: 'admin', password } })
      if (answer.status !== 200) throw new Error(`Signing in was answered ${answer.status}: ${answer.text}`)
      return client
    },
  }
  return client
}

/**
 * Opens a whole site in this process on an empty folder: embedded engines, projector, worker and web role
 * behind a port of its own.
 */
export const openWebSite = async (
  options: {
    readonly settings?: Readonly<Record<string, string>>
    readonly clock?: Clock
    readonly dataDir?: string
  } = {},
): Promise<WebSite> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'atelier-web-')))
  const server = createServer()
  // As in start.ts: a test that comes back after a pause must not meet a connection that is just being closed.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ADMIN_PASSWORD: password,
    SAMPLES: 'off',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    ...options.settings,
  })
  const site = await openSite({
    config,
    clock: options.clock ?? systemClock,
    log: createLog(config.logLevel),
    version: '0.0.0-test',
  })
  server.on('request', onlyClear(site.listener, config.publicUrl))
  await site.ready
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    dataDir,
    visitor: () => clientOf(url),
    owner: () => clientOf(url).signIn(),
    scratchFiles: () => readdir(join(dataDir, 'scratch')),
    close: async () => {
      await site.stopStreams()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 1_000).unref()
      })
      await site.close()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The list of what happened, once it shows the whole log: an answer waits for the views that it is made of alone. */
export const shownActivity = async (owner: Client, query = ''): Promise<Answer> => {
  const shown = /^atelier_projection_lag_events\{view="activity"\} 0$/m
  while (!shown.test((await owner.send('GET', '/metrics')).text)) await delay(10)
  return owner.call('listActivity', { query })
}

/** An image of one colour, as a JPEG or PNG of this size. */
export const imageBytes = async (
  options: {
    readonly width?: number
    readonly height?: number
    readonly colour?: string
    readonly format?: 'jpeg' | 'png'
  } = {},
): Promise<Buffer> => {
  const { default: sharp } = await import('sharp')
  const { width = 320, height = 240, colour = '#884422', format = 'jpeg' } = options
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** The multipart body of an upload. */
export const uploadOf = (
  bytes: Uint8Array,
  part: { readonly field?: string; readonly name?: string; readonly type?: string } = {},
): FormData => {
  const form = new FormData()
  const file = new Blob([new Uint8Array(bytes)], { type: part.type ?? 'image/jpeg' })
  form.append(part.field ?? 'image', file, part.name ?? 'photo.jpg')
  return form
}

/** Uploads an image and answers its address. */
export const uploadImage = async (owner: Client, colour = '#884422'): Promise<string> => {
  const answer = await owner.call('uploadImage', { raw: uploadOf(await imageBytes({ colour })) })
  if (answer.status !== 201) throw new Error(`The upload was answered ${answer.status}: ${answer.text}`)
  return answer.json.imageUrl
}

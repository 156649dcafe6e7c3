import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Site, signIn, startSite } from './support/site.ts'
import { receiveTelemetry } from './support/telemetry-receiver.ts'

const noting = join(import.meta.dirname, 'support', 'note-telemetry.ts')
const elsewhere = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-telemetry-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const artwork = z.looseObject({ id: z.string() })

/** Adds a work with one picture and gives it the other by its address; a job makes its sizes. */
const changeImage = async (
  site: Site,
  [first, second]: readonly [string, string],
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const cookie = await signIn(site)
  const send = async (method: string, path: string, body: unknown, more = {}) => {
    const answer = await fetch(`${site.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie, ...more },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const added = await send('POST', '/api/artworks', { title: 'Night', price: 0, imageUrl: first })
  const { id } = artwork.parse(await added.json())
  const changed = await send('PUT', `/api/artworks/${id}`, { imageUrl: second }, headers)
  return changed.headers.get('x-request-id') ?? ''
}

describe('telemetry', () => {
  it('is not loaded at all without its setting', async () => {
    const notes = join(folder, 'without')
    const site = await startSite({
      env: { NODE_OPTIONS: `--import=${noting}`, TELEMETRY_NOTES: notes, LOG_LEVEL: 'debug' },
    })
    try {
      // Of what is loaded later too.
      await expect.poll(() => site.output()).toContain('All parts of the program are loaded')
      await signIn(site)
      await (await fetch(`${site.url}/metrics`)).text()
    } finally {
      await site.stop()
    }
    // The metrics' own library brings the API, in which there is nothing at work.
    const loaded = (await readFile(notes, 'utf8')).split('\n').filter((url) => url !== '')
    expect(loaded.filter((url) => !url.includes('/@opentelemetry/api/'))).toEqual([])
  })

  it('says that it cannot be sent, and leaves the site as it is', async () => {
    const site = await startSite({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_BSP_SCHEDULE_DELAY: '50' },
    })
    try {
      expect((await fetch(site.url)).status).toBe(200)
      await expect.poll(() => site.output()).toContain('Telemetry cannot be sent')
    } finally {
      await site.stop()
    }
    expect(site.process.exitCode).toBe(0)
  })
})

describe('telemetry that is asked for', () => {
  let imageServer: Server
  let place: string
  let receiver: Awaited<ReturnType<typeof receiveTelemetry>>
  let site: Site
  let notes: string
  beforeAll(async () => {
    // Of one colour each, which the path names: their sizes are made in no time.
    imageServer = createServer((request, response) => {
      const background = `#${basename(request.url ?? '', '.png')}`
      sharp({ create: { width: 320, height: 240, channels: 3, background } })
        .png()
        .pipe(response)
    })
    imageServer.listen(0, '127.0.0.1')
    await once(imageServer, 'listening')
    // Listening on TCP, it has an address of that form.
    place = `http://127.0.0.1:${(imageServer.address() as AddressInfo).port}`
    receiver = await receiveTelemetry()
    notes = join(folder, 'with')
    site = await startSite({
      env: {
        NODE_OPTIONS: `--import=${noting}`,
        TELEMETRY_NOTES: notes,
        LOG_LEVEL: 'info',
        FETCH_ALLOW_PRIVATE: '1',
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_BLRP_SCHEDULE_DELAY: '50',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        OTEL_METRIC_EXPORT_TIMEOUT: '1000',
      },
    })
  })
  afterAll(async () => {
    await site.stop()
    receiver.close()
    imageServer.closeAllConnections()
    imageServer.close()
  })

  const inTrace = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)
  const waitForTrace = (traceId: string): Promise<ReturnType<typeof inTrace>> =>
    vi.waitFor(
      () => {
        const names = inTrace(traceId).map(({ name }) => name)
        for (const name of ['PUT /api/artworks/{id}', 'append', 'project', 'job process-image'])
          expect(names).toContain(name)
        return inTrace(traceId)
      },
      { timeout: 60_000, interval: 100 },
    )

  it('is one trace from a PUT to its projection and its job', async () => {
    const requestId = await changeImage(site, [`${place}/aa0000.png`, `${place}/bb0000.png`])
    const spans = await waitForTrace(requestId.replaceAll('-', ''))
    const of = (name: string) => spans.find((span) => span.name === name)
    const root = of('PUT /api/artworks/{id}')
    expect(root).toMatchObject({
      kind: 2,
      attributes: {
        'http.request.method': 'PUT',
        'http.route': '/api/artworks/{id}',
        'http.response.status_code': 200,
      },
    })
    expect(root?.parentSpanId ?? '').toBe('')
    const commands = spans.filter(({ name }) => name.startsWith('command '))
    expect(commands.map(({ parentSpanId }) => parentSpanId)).toContain(root?.spanId)
    expect(commands.map(({ spanId }) => spanId)).toContain(of('append')?.parentSpanId)
    for (const name of ['project', 'job process-image']) {
      expect(of(name)?.parentSpanId).toBe(root?.spanId)
    }
    expect(String(of('project')?.attributes['atelier.views']).split(',')).toContain('artworks')
  })

  it('names the trace of who asks, and is its own', async () => {
    const { traceId, spanId } = elsewhere
    await changeImage(site, [`${place}/cc0000.png`, `${place}/dd0000.png`], {
      traceparent: `00-${traceId}-${spanId}-01`,
    })
    const linked = () =>
      receiver.spans.find(({ links = [] }) => links.some((link) => link.traceId === traceId))
    await expect.poll(linked).toMatchObject({ kind: 2, links: [{ traceId, spanId }] })
    const root = linked()
    expect(root?.parentSpanId ?? '').toBe('')
    const spans = await waitForTrace(root?.traceId ?? '')
    for (const name of ['project', 'job process-image'])
      expect(spans.find((span) => span.name === name)?.parentSpanId).toBe(root?.spanId)
  })

  it('has the log’s lines, in their traces', async () => {
    const traces = new Set(receiver.spans.map(({ traceId }) => traceId))
    const lines = () => receiver.records.filter(({ traceId }) => traceId !== undefined && traces.has(traceId))
    await expect
      .poll(() => lines().map(({ body }) => body))
      .toEqual(expect.arrayContaining(['request', 'job']))
    await expect.poll(lines).toContainEqual(
      expect.objectContaining({
        body: 'request',
        severityNumber: 9,
        attributes: expect.objectContaining({ method: 'PUT', status: 200 }),
      }),
    )
  })

  it('has the metrics of /metrics under the same names', async () => {
    const text = await (await fetch(`${site.url}/metrics`)).text()
    const told = [...text.matchAll(/^# TYPE (atelier_\w+|process_resident_memory_bytes) /gm)]
    // What has no value just now is not sent.
    const names = told.flatMap(([, name = '']) =>
      new RegExp(`^${name}(_count)?[{ ]`, 'm').test(text) ? [name] : [],
    )
    expect(names).toEqual(expect.arrayContaining(['atelier_ready', 'atelier_projection_lag_events']))
    const sent = () => new Set(receiver.metrics.map(({ name }) => name))
    await vi.waitFor(() => expect([...sent()]).toEqual(expect.arrayContaining(names)), 20_000)
    const commands = receiver.metrics.filter(({ name }) => name === 'atelier_command_duration_seconds').at(-1)
    expect(commands?.histogram?.dataPoints[0]?.count).toBeGreaterThan(0)
  })

  it('says whose it is, and nothing of who runs or uses it', async () => {
    expect(receiver.resources[0]).toMatchObject({
      'service.name': 'atelier',
      'service.version': expect.any(String),
      'deployment.environment.name': 'test',
      'atelier.roles': 'web,projector,worker',
    })
    expect(receiver.resources[0]).not.toHaveProperty('process.owner')
    const told = JSON.stringify([receiver.spans, receiver.records, receiver.metrics])
    expect(told).toContain('Signed in')
    for (const personal of ['Night', 'admin', '127.0.0.1'])
      expect([personal, told.includes(personal)]).toEqual([personal, false])
    expect(await readFile(notes, 'utf8')).toContain('@opentelemetry/sdk-node')
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Site, signIn, startSite } from './support/site.ts'

/** The lines of the server's log that were written under a name. */
const lines = (site: Site, msg: string): readonly Record<string, unknown>[] =>
  site
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`))
    // pino writes an object a line
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('what a server tells about its work', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ env: { LOG_LEVEL: 'debug' } })
  })
  afterAll(() => site.stop())

  it('carries one id from the click to the projection and to the job that follows', async () => {
    const sent = await fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Ravi',
        email: 'ravi@example.com',
        subject: 'purchase',
        message: 'A work of yours stays in my mind.',
      }),
    })
    expect(sent.status).toBe(201)
    const id = sent.headers.get('x-request-id')
    const projected = () =>
      lines(site, 'projected').filter(({ correlationIds }) => (correlationIds as string[]).includes(id ?? ''))
    // What a server prints reaches this process a moment after what it answers.
    await vi.waitFor(() => {
      expect(lines(site, 'request')).toContainEqual(
        expect.objectContaining({ requestId: id, path: '/api/contact' }),
      )
      expect(lines(site, 'job')).toContainEqual(
        expect.objectContaining({ job: 'mail-enquiry', correlationId: id, result: 'done' }),
      )
      // What the visitor did, and what the job found out: in two batches, or in one where the job was quick.
      expect(projected().reduce((sum, { events }) => sum + Number(events), 0)).toBe(2)
    }, 20_000)
    expect(site.output()).not.toContain('ravi@example.com')
  })

  it('counts it for Prometheus', async () => {
    const cookie = await signIn(site)
    const answer = await fetch(`${site.url}/api/categories`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Hills' }),
    })
    expect(answer.status).toBe(201)
    await fetch(`${site.url}/`)
    const scrape = async () => (await fetch(`${site.url}/metrics`)).text()
    for (const line of [
      'atelier_http_request_duration_seconds_count{method="POST",route="/api/categories",status="201"} 1',
      'atelier_http_request_duration_seconds_count{method="GET",route="page",status="200"} 1',
      'atelier_projection_lag_events{view="categories"} 0',
      'atelier_parked_events{view="artworks"} 0',
      'atelier_enquiry_mail{result="skipped"} 1',
      'atelier_job_duration_seconds_count{job="mail-enquiry",result="done"} 1',
    ]) {
      // A request is counted when its answer has gone out, which is after it has come in.
      await expect.poll(scrape).toContain(line)
    }
    const scraped = await fetch(`${site.url}/metrics`)
    expect(scraped.headers.get('content-type')).toContain('text/plain')
    const text = await scraped.text()
    expect(text).toMatch(/atelier_command_duration_seconds_count\{command="\w+",result="done"\} \d/)
    expect(text).toContain('process_resident_memory_bytes')
    const through = await fetch(`${site.url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(through.status).toBe(403)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serverOf } from '#web/server/door/server.ts'

const fileOf = (name: string): string => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8')
const caddyfile = fileOf('Caddyfile')

/** What Caddy counts against a server for a request that went wrong, and how long that server is out of use then. */
const judgedByRequests = /^\s*(?:fail_duration|max_fails|unhealthy_\w+)\b/m

it('no request that goes wrong takes a process out of use: whoever sends such ones would take away all of them', () => {
  expect(caddyfile).toMatch(/^\s*health_uri \/openz$/m)
  expect(caddyfile).not.toMatch(judgedByRequests)
})

it('lets a slow phone send for as long as the site itself listens, which then says in words that it took too long', () => {
  const [, minutes] = /^\t\t\tread_body (\d+)m$/m.exec(caddyfile) ?? []
  const site = serverOf(() => undefined, 'https://art.example')
  expect(Number(minutes) * 60_000).toBeGreaterThan(site.requestTimeout)
})

it('a visitor who leaves is gone for the site too, which makes nothing for nobody and keeps him no place', () => {
  // Event streams are sent as they come without it, and with -1 Caddy goes on waiting for whoever has left.
  expect(caddyfile).not.toMatch(/^\s*flush_interval\b/m)
})

const [, proxy = ''] = fileOf('docker-compose.yml').split(/^ {2}proxy:$/m)
const [, handles] = /^ {4}ulimits: \{ nofile: (\d+) \}$/m.exec(proxy) ?? []

it('no flood of connections ends it: all that may be open at once fits its memory', () => {
  const [, megabytes] = /^ {4}mem_limit: (\d+)m$/m.exec(proxy) ?? []
  // Measured with Caddy 2.6: 43 MB at rest, 90 kB more for each connection whose answer nobody takes.
  expect(43 + Number(handles) * 0.09).toBeLessThan(Number(megabytes))
})

it('two hundred visitors who come within twenty seconds leave a handle to each other', () => {
  const [, idle] = /^\t\t\tidle (\d+)s$/m.exec(caddyfile) ?? []
  // A browser opens six, which stay for as long when the page is there; its change stream holds one more, to the site.
  const leftOpen = (200 / 20) * Number(idle) * 6
  const streams = 200 * 2
  expect(leftOpen + streams).toBeLessThan(Number(handles))
})

it('speaks no protocol by which one connection asks for many answers at once: handles would bound nothing', () => {
  expect(caddyfile).toMatch(/^\tservers \{$[^]*?^\t\tprotocols h1$/m)
})

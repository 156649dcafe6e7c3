import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const caddyfile = readFileSync(join(import.meta.dirname, '..', '..', 'Caddyfile'), 'utf8')

/** What Caddy counts against a server for a request that went wrong, and how long that server is out of use then. */
const judgedByRequests = /^\s*(?:fail_duration|max_fails|unhealthy_\w+)\b/m

it('no request that goes wrong takes a process out of use: whoever breaks off uploads would take away all of them', () => {
  expect(caddyfile).toMatch(/^\s*health_uri \/openz$/m)
  expect(caddyfile).not.toMatch(judgedByRequests)
})

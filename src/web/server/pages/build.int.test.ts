import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const serverFile = readFileSync(join(import.meta.dirname, '../../../../dist/server/entry-server.js'), 'utf8')

it('renders with the half of React that is for production, whatever the environment says', () => {
  expect(serverFile).not.toContain('NODE_ENV')
})

it('carries nothing of the dashboard to the server', () => {
  expect(serverFile).not.toContain('ProseMirror')
})

it('takes one byte in memory for each of its characters', () => {
  // V8 keeps a source at two bytes for each where only one lies beyond these.
  expect(serverFile).not.toMatch(/[^\0-\xff]/)
})

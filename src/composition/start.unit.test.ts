import { expect, it } from 'vitest'
import { readConfig } from '#infrastructure/config/config.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { jsonLineOf, showOpen } from './start.ts'
import { openTerminal } from './terminal.ts'

it('the first password is shown, and the start goes on, when how far the pictures are cannot be told', async () => {
  let shown = ''
  const terminal = openTerminal({
    columns: 80,
    writableLength: 0,
    write: (text: string) => {
      shown += text
      return true
    },
  })
  const site = {
    imagesMade: () => Promise.reject(new Error('no answer')),
    passwordChosen: new Promise<void>(() => undefined),
  }
  const prepared = { firstPassword: 'made-up', images: ['a'] }
  await showOpen({ terminal, log: createLog('info', terminal) }, site, prepared, readConfig({}))
  expect(shown).toMatch(/Warning: .* cannot be told: no answer\n[^]*Password {3}made-up/)
})

it('once the first password was changed, what stays last does not show it any more', async () => {
  let shown = ''
  const terminal = openTerminal({
    columns: 80,
    writableLength: 0,
    write: (text: string) => {
      shown += text
      return true
    },
  })
  const chosen = Promise.withResolvers<void>()
  const site = { imagesMade: () => Promise.resolve(), passwordChosen: chosen.promise }
  const prepared = { firstPassword: 'made-up', images: [] }
  await showOpen({ terminal, log: createLog('info', terminal) }, site, prepared, readConfig({}))
  const before = shown.length
  chosen.resolve()
  await chosen.promise
  terminal.write('{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"request"}\n')
  expect(shown.slice(before)).toContain('Password   the one you chose')
  expect(shown.slice(before)).not.toContain('made-up')
})

it('where nobody watches a terminal the site is said to be open in a line of JSON, with the password in its field', () => {
  const config = readConfig({ PUBLIC_URL: 'https://asha.example.org', ADMIN_USERNAME: 'asha' })
  const line = (firstPassword: string | null): unknown =>
    JSON.parse(jsonLineOf(config, { firstPassword, images: [] }, new Date(0)))
  const open = { level: 30, time: '1970-01-01T00:00:00.000Z', url: 'https://asha.example.org' }
  expect(line(null)).toEqual({ ...open, msg: 'Atelier is open' })
  expect(line('made-up')).toEqual({ ...open, username: 'asha', password: 'made-up', msg: 'Atelier is open' })
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Site, startSite } from './support/site.ts'

const cli = join(import.meta.dirname, '../src/cli.ts')
/** The program that gives a command a terminal of its own; part of every Debian. */
const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Runs a command on a terminal and types when it asks. @returns all that the terminal showed, and the exit code */
const onTerminal = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  typed: readonly { readonly after: string; readonly text: string }[],
): Promise<{ readonly shown: string; readonly code: number | null }> => {
  const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...env } })
  const left = [...typed]
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      shown += bytes.toString()
      const [next] = left
      if (next === undefined || !shown.includes(next.after)) return
      left.shift()
      child.stdin.write(next.text)
    })
  }
  await once(child, 'close')
  return { shown, code: child.exitCode }
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ env: { ADMIN_USERNAME: 'leela' } })
  })
  afterAll(() => site?.stop())

  it('a new password is not shown, and is that of the one account', async () => {
    const password = 'lime-washed wall'
    const typed = [
      { after: 'New password', text: `${password}x\x7f\r` },
      { after: 'The same again', text: `${password}\r` },
    ]
    const run = await onTerminal(['admin', 'set-password'], { DATA_DIR: site.dataDir }, typed)
    expect(run.shown).toContain('The password of leela was changed')
    expect([run.code, run.shown.includes('lime')]).toEqual([0, false])
    const answer = await fetch(`${site.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'leela', password }),
    })
    expect(answer.status).toBe(200)
  })

  it('a slip in one of the two changes nothing', async () => {
    const typed = [
      { after: 'New password', text: 'lime-washed wall\r' },
      { after: 'The same again', text: 'lime-washed hall\r' },
    ]
    const run = await onTerminal(['admin', 'set-password'], { DATA_DIR: site.dataDir }, typed)
    expect(run.shown).toContain('The two passwords differ. Nothing was changed')
    expect(run.code).toBe(1)
  })

  it('Ctrl+C changes nothing', async () => {
    const typed = [{ after: 'New password', text: 'half of it\x03' }]
    const run = await onTerminal(['admin', 'set-password'], { DATA_DIR: site.dataDir }, typed)
    expect(run.shown).toContain('Nothing was changed')
    expect(run.code).toBe(1)
  })
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '#application/kernel/reason.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'

const main = join(import.meta.dirname, '../src/main.ts')
/** The program that gives a command a terminal of its own; part of every Debian. */
const hasTerminal = spawnSync('script', ['--version']).status === 0
const patient = { timeout: 90_000, interval: 20 }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** What `look` gives; `otherwise` of a process that has ended by itself meanwhile, as a helper does that has no more to do. */
const unlessEnded = <T>(otherwise: T, look: () => T): T => {
  try {
    return look()
  } catch (error) {
    if (!['ESRCH', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
    return otherwise
  }
}

/** The processes that a process has started, those of theirs first. */
const below = (pid: number | undefined): readonly number[] =>
  unlessEnded('', () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .split(' ')
    .filter((word) => word !== '')
    .map(Number)
    .flatMap((each) => [...below(each), each])

/** Starts a site on a terminal, with an empty folder and no password given. */
const onTerminal = async (env: Readonly<Record<string, string>>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-terminal-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // In the place of its shell, which would have the last word on a server that is killed.
  const child = spawn('script', ['-qec', `exec '${process.execPath}' '${main}'`, '/dev/null'], {
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: '',
      ...env,
    },
  })
  const closed = once(child, 'close')
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      shown += bytes.toString()
    })
  }
  const type = (keys: string): unknown => child.stdin.write(keys)
  const interrupt = async (): Promise<void> => {
    if (child.exitCode === null) type('\x03')
    await closed
  }
  ends.push(async () => {
    await interrupt()
    await rm(dataDir, { recursive: true, force: true })
  })
  /** Ends the server as a machine out of memory would: it can say nothing any more. */
  const kill = async (): Promise<void> => {
    for (const pid of below(child.pid)) unlessEnded(true, () => process.kill(pid, 'SIGKILL'))
    await closed
  }
  return { url, shown: () => shown, type, interrupt, kill }
}

/** The last lines, without what steers a terminal. */
const lastLines = (shown: string): readonly string[] =>
  stripVTControlCharacters(shown).trimEnd().split(/\r*\n/).slice(-4)

const blockOf = (url: string): readonly unknown[] => [
  `  Site       ${url}`,
  `  Dashboard  ${url}/admin`,
  '  User       admin',
  expect.stringMatching(/^ {2}Password {3}\S{19} {2}\(shown only this once\)$/),
]

describe.skipIf(!hasTerminal)('the first start on a terminal', () => {
  it('ends with where everything is, which stays last whatever is asked of the site', async () => {
    const start = await onTerminal({ SAMPLES: 'off' })
    await vi.waitFor(() => expect(lastLines(start.shown())).toEqual(blockOf(start.url)), patient)
    await (await fetch(`${start.url}/healthz`)).text()
    await (await fetch(`${start.url}/api/artworks`)).text()
    await vi.waitFor(() => expect(start.shown()).toMatch(/Request \(.*\/api\/artworks/), patient)
    await vi.waitFor(() => expect(lastLines(start.shown())).toEqual(blockOf(start.url)), patient)
    expect(start.shown()).not.toContain('{"level"')
  })

  it('shows the password as soon as there is one, also to whoever kills it while pictures are made', async () => {
    const start = await onTerminal({ SAMPLES: 'auto' })
    const working = `of 13 (open already: ${start.url})`
    await vi.waitFor(() => expect(start.shown()).toContain(working), patient)
    // It answers already.
    expect((await fetch(start.url)).status).toBe(200)
    await start.kill()
    expect(lastLines(start.shown())).toEqual(blockOf(start.url))
    const before = start.shown().slice(0, start.shown().indexOf('Atelier is open'))
    expect(before).toContain('hangs the sample paintings')
  })

  it('tells on one line how far the pictures are, above what stays', async () => {
    const start = await onTerminal({ SAMPLES: 'auto' })
    const working = `of 13 (open already: ${start.url})`
    await vi.waitFor(() => expect(start.shown()).toContain(working), patient)
    await start.interrupt()
    expect(lastLines(start.shown())).toEqual(blockOf(start.url))
    const lines = stripVTControlCharacters(start.shown().slice(start.shown().lastIndexOf('\u001B[J')))
    expect(lines).not.toContain(working)
  })

  it('goes on while its output is held, as by Ctrl+S, and shows it behind that', async () => {
    const start = await onTerminal({ SAMPLES: 'off' })
    await vi.waitFor(() => expect(lastLines(start.shown())).toEqual(blockOf(start.url)), patient)
    start.type('\x13')
    for (let n = 1; n <= 9; n += 1)
      await (await fetch(`${start.url}/api/artworks?n=${n}`, { signal: AbortSignal.timeout(20_000) })).text()
    start.type('\x11')
    const asked = /Request \(.*\/api\/artworks/g
    await vi.waitFor(() => expect(start.shown().match(asked)).toHaveLength(9), patient)
    await vi.waitFor(() => expect(lastLines(start.shown())).toEqual(blockOf(start.url)), patient)
  })

  it('is JSON lines with LOG_FORMAT=json', async () => {
    const start = await onTerminal({ SAMPLES: 'off', LOG_FORMAT: 'json' })
    await vi.waitFor(
      () => expect(start.shown()).toMatch(/^\{"level":30.*"password":"\S{19}".*\}\r?$/m),
      patient,
    )
    await (await fetch(`${start.url}/api/artworks`)).text()
    await vi.waitFor(() => expect(start.shown()).toMatch(/\{"level":30.*"path":"\/api\/artworks"/), patient)
    expect(start.shown()).not.toContain('\u001B')
  })
})

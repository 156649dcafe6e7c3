import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobName } from '#application/job-data.ts'
import type { Carried, JobContext } from '#application/kernel/ports/job-queue.ts'
import { type Embedded, openEmbedded } from '../embedded/testing/open-embedded.ts'
import { systemClock } from '../clock.ts'
import { runApart } from './run-apart.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** What the child does is written down beside, as a module that is run in the place of the real one. */
const odd = join(import.meta.dirname, 'testing/odd-child.ts')

describe('a job in a process of its own', () => {
  let folder: string
  let engines: Embedded
  let pids: (number | undefined)[]
  beforeEach(async () => {
    pids = []
    folder = await mkdtemp(join(tmpdir(), 'atelier-apart-'))
    engines = await openEmbedded({
      dataDir: join(folder, 'data'),
      secret: null,
      clock: systemClock,
      log: silent,
    })
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await engines.close()
    await rm(folder, { recursive: true })
  })

  const run = (data: Carried<JobName>, context: Partial<JobContext> = {}): Promise<void> =>
    runApart(
      {
        ports: { ...engines, lookups: {}, readModels: {} },
        settings: { fetchAllowPrivate: false, mail: null },
        module: odd,
        scratchPath: async (name) => join(folder, name),
        onStart: (pid) => pids.push(pid),
      },
      'process-image',
      data,
      {
        id: 'process-image-1',
        attempt: 1,
        apart: true,
        again: false,
        signal: new AbortController().signal,
        progress: () => undefined,
        ...context,
      },
    )
  const isAlive = (pid: number | undefined): boolean => {
    try {
      return process.kill(pid ?? 0, 0)
    } catch {
      return false
    }
  }

  it('works on the ports of this one, tells its steps, and leaves nothing behind', async () => {
    await engines.files.put('originals/h1', Buffer.from('a picture'))
    const steps: number[] = []
    await run({ hash: 'files' }, { progress: (done) => steps.push(done) })
    const copy = await engines.files.open('images/h1/first.jpg')
    expect(await copy?.stream.toArray().then((pieces) => Buffer.concat(pieces).toString())).toBe('a picture')
    expect(steps).toEqual([1, 2])
    expect(await engines.effects.find('odd')).toEqual({ state: 'done', detail: 'lease held' })
    expect(await readdir(folder)).toEqual(['data'])
    expect(isAlive(pids[0])).toBe(false)
  })

  it('reads the log as it is, and adds to it', async () => {
    await expect(run({ hash: 'events' })).rejects.toThrow('read ImageDiscarded at 0 by visitor')
    expect(await engines.eventStore.readStream('image-h1', 0)).toHaveLength(1)
  })

  it('gets errors of a port as errors of their class, and its own reach us with their words', async () => {
    await expect(run({ hash: 'conflict' })).rejects.toThrow('a RevisionConflict at no-stream')
    await expect(run({ hash: 'hopeless' })).rejects.toMatchObject({
      name: 'Unrecoverable',
      message: 'no hope',
    })
  })

  it('trusts whom the site trusts, and knows no secret of it', async () => {
    vi.stubEnv('NODE_USE_SYSTEM_CA', '1')
    vi.stubEnv('SECRET', 'of the site')
    const names = await run({ hash: 'environment' }).catch((error: Error) => error.message.split(' '))
    expect(names).toContain('NODE_USE_SYSTEM_CA')
    expect(names).not.toContain('SECRET')
  })

  it('may not ask for accounts or sessions', async () => {
    await expect(run({ hash: 'accounts' })).rejects.toThrow('may not ask accounts.all')
  })

  it('says in words how its process was ended, while this one lives on; what it held is free again', async () => {
    await expect(run({ hash: 'dies' })).rejects.toThrow(
      'ended by SIGKILL, perhaps because the machine ran out',
    )
    const lease = await engines.leases.acquire('picture-files', AbortSignal.timeout(60_000))
    await lease.release()
    await expect(run({ hash: 'exits' })).rejects.toThrow('ended with exit code 7')
  })

  it('is told when the site stops, and killed when it does not listen', async () => {
    for (const hash of ['listens', 'deaf']) {
      const stopping = new AbortController()
      const running = run(
        { hash },
        { signal: stopping.signal, progress: () => stopping.abort(new Error('The server is stopping')) },
      )
      await expect(running).rejects.toThrow('The server is stopping')
      expect(isAlive(pids.at(-1))).toBe(false)
    }
  })
})

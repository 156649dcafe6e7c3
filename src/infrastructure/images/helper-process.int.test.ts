import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ImageWorkFailed } from '#application/ports/images.ts'
import { type AskOptions, helperProcess, type HelperOptions, type HelperProcess } from './helper-process.ts'
import type { Task } from './protocol.ts'

vi.mock(import('node:module'), async (original) => ({
  ...(await original()),
  getCompileCacheDir: vi.fn<() => string | undefined>(),
}))

/** Stands in for the real worker: what it does is told by the text of the QR it is asked for. */
const standIn = `
process.on('disconnect', () => process.exit(0))
const queue = []
let busy = false
const next = () => {
  if (busy || queue.length === 0) return
  const { id, task } = queue.shift()
  busy = true
  process.send({ type: 'begun', id })
  const done = (data) => { process.send({ type: 'done', id, answer: { width: 1, height: 1, data } }); busy = false; next() }
  switch (task.ask.text) {
    case 'die': process.kill(process.pid, 'SIGKILL'); break
    case 'exit': console.error('Error: the library broke'); process.exit(3); break
    case 'hang': break
    case 'full': process.send({ type: 'failed', id, message: 'write: no space left on device', diskFull: true }); busy = false; next(); break
    case 'env': done(Buffer.from(JSON.stringify(process.env))); break
    default: done(Buffer.from(String(process.pid)))
  }
}
process.on('message', (message) => { queue.push(message); next() })
`
const qr = (text: string): Task => ({ kind: 'qr', ask: { text } })

let folder = ''
let helper: HelperProcess
const pids: (number | undefined)[] = []
const open = (options: HelperOptions = {}): void => {
  helper = helperProcess({
    module: join(folder, 'stand-in.mjs'),
    onStart: (pid) => pids.push(pid),
    ...options,
  })
}
const said = async (task: Task): Promise<string> => {
  const answer = await helper.ask(task)
  return answer && 'data' in answer ? Buffer.from(answer.data).toString() : ''
}
/** How much the kernel prefers a process where it has to end one for its memory. */
const offeredTo = (pid: number | undefined): number =>
  Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'))
/** Whether a process runs; one that has ended and was not yet buried by its new parent does not. */
const runs = (pid: number | undefined): boolean => {
  try {
    if (pid === undefined || !process.kill(pid, 0)) return false
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-helper-'))
  await writeFile(join(folder, 'stand-in.mjs'), standIn)
  pids.length = 0
})
afterEach(async () => {
  await helper.close()
  await rm(folder, { recursive: true, force: true })
})

it('starts nothing before it is asked, and one process for all that is asked', async () => {
  open()
  expect(pids).toEqual([])
  helper.warm()
  const answers = await Promise.all([said(qr('a')), said(qr('b')), said(qr('c'))])
  expect(new Set(answers).size).toBe(1)
  expect(pids).toHaveLength(1)
})

it('ends the process when it has been idle, and starts another when asked again', async () => {
  open({ idleMs: 20 })
  const first = await said(qr('a'))
  await expect.poll(() => runs(pids[0])).toBe(false)
  expect(await said(qr('b'))).not.toBe(first)
})

it('fails what a dying process worked on, in words, and gives what waited to the next process', async () => {
  open()
  const [died, waited] = await Promise.allSettled([said(qr('die')), said(qr('later'))])
  expect(died).toMatchObject({
    status: 'rejected',
    reason: {
      name: 'ImageWorkFailed',
      message: expect.stringMatching(/SIGKILL, perhaps.*ran out of memory/),
    },
  })
  expect(waited).toEqual({ status: 'fulfilled', value: String(pids[1]) })
})

it('keeps what the process said last as the cause', async () => {
  open()
  await expect(helper.ask(qr('exit'))).rejects.toMatchObject({
    message: expect.stringMatching(/exit code 3/),
    cause: { message: 'Error: the library broke' },
  })
})

it('kills a process that makes no progress', async () => {
  // longer than a busy machine takes to start it
  open({ stuckMs: 4_000 })
  await said(qr('a'))
  await expect(helper.ask(qr('hang'))).rejects.toThrow(/took too long/)
  await expect.poll(() => runs(pids[0])).toBe(false)
})

it('gives a stuck task no time for what others ask meanwhile, and lets only that task fail', async () => {
  open({ stuckMs: 4_000 })
  await said(qr('a'))
  const begun = performance.now()
  const others: Promise<string>[] = []
  const asking = setInterval(() => others.push(said(qr('b'))), 500)
  // Far beyond what a busy machine needs, and never over while each asking began the time anew.
  const tooLate = AbortSignal.timeout(30_000)
  const ended = new Promise((_, reject) =>
    tooLate.addEventListener('abort', () => reject(new Error('not ended'))),
  )
  await expect(Promise.race([helper.ask(qr('hang')), ended])).rejects.toThrow(/took too long/)
  clearInterval(asking)
  expect(performance.now() - begun).toBeGreaterThan(3_900)
  expect(await Promise.all(others)).toEqual(others.map(() => String(pids[1])))
})

it('gives up sooner what nobody waits for', async () => {
  open({ stuckMs: 600_000, strangersStuckMs: 100 })
  await said(qr('a'))
  await expect(helper.ask(qr('hang'), { asker: 'nobody' })).rejects.toThrow(/took too long/)
})

it('takes visitors and the owner in turn, then what nobody waits for', async () => {
  open({ module: fileURLToPath(new URL('./worker.ts', import.meta.url)) })
  const path = join(folder, 'small.png')
  await writeFile(
    path,
    await sharp({ create: { width: 900, height: 900, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const first: Task = { kind: 'first', ask: { path, accept: ['png'] } }
  const done: string[] = []
  const ask = (name: string, task: Task, options?: AskOptions): Promise<unknown> =>
    helper.ask(task, options).then(() => done.push(name))
  // All of it is there before the process has come so far as to begin.
  await Promise.all([
    ask('blog', first, { asker: 'nobody' }),
    ask('blog', first, { asker: 'nobody' }),
    ask('blog', first, { asker: 'nobody' }),
    ask('upload', first),
    ask('upload', first),
    ask('code', qr('pay'), { asker: 'visitor' }),
    ask('code', qr('pay'), { asker: 'visitor' }),
    ask('code', qr('pay'), { asker: 'visitor' }),
  ])
  // What came first may have been begun before the others were heard of.
  const turns = ['code', 'upload', 'code', 'upload', 'code']
  expect(done.filter((name, n) => n > 0 || name !== 'blog').slice(0, 5)).toEqual(turns)
})

it('does not start a process that cannot live over and over', async () => {
  await writeFile(join(folder, 'stand-in.mjs'), `throw new Error('no such library')`)
  open()
  await expect(Promise.all([helper.ask(qr('a')), helper.ask(qr('b'))])).rejects.toThrow(ImageWorkFailed)
  expect(pids).toHaveLength(1)
})

it('tells a full disk from a failure', async () => {
  open()
  await expect(helper.ask(qr('full'))).rejects.toMatchObject({ name: 'DiskFull' })
})

it('gives the process none of the site’s secrets', async () => {
  vi.stubEnv('SECRET', 'do not tell')
  open()
  expect(await said(qr('env'))).not.toContain('do not tell')
  vi.unstubAllEnvs()
})

it('lets the process keep compiled code where this one does, and nowhere else', async () => {
  for (const cache of [join(folder, 'compiled'), undefined]) {
    vi.mocked(getCompileCacheDir).mockReturnValue(cache)
    open()
    expect(JSON.parse(await said(qr('env'))).NODE_COMPILE_CACHE).toBe(cache)
    await helper.close()
  }
})

it('leaves no process behind when closed in the middle of work', async () => {
  open()
  await said(qr('a'))
  const [work] = await Promise.allSettled([helper.ask(qr('hang')), helper.close()])
  expect(work).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringMatching(/site is stopping/) },
  })
  expect(runs(pids[0])).toBe(false)
  await expect(helper.ask(qr('a'))).rejects.toThrow(/site is stopping/)
})

it('leaves it to the process that asks whether what its terminal or Ctrl-C tells both is an end', async () => {
  helper = helperProcess({ onStart: (pid) => pids.push(pid) })
  await helper.ask(qr('upi://pay'))
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(pids[0] ?? 0, signal)
  await helper.ask(qr('upi://pay'))
  expect(pids).toHaveLength(1)
})

it.skipIf(process.platform !== 'linux')(
  'is what the kernel ends where memory runs out, not the process that asks (skipped: only Linux is told so)',
  async () => {
    helper = helperProcess({ onStart: (pid) => pids.push(pid) })
    await helper.ask(qr('upi://pay'))
    expect(offeredTo(pids[0])).toBeGreaterThanOrEqual(800)
  },
)

it('ends by itself when the process that asks is killed', async () => {
  const script = `
    const { openImages } = await import(${JSON.stringify(fileURLToPath(new URL('./images.ts', import.meta.url)))})
    const pictures = openImages({ onStart: (pid) => console.log(pid) })
    await pictures.qr('upi://pay')
    process.kill(process.pid, 'SIGKILL')
  `
  const killed = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  }).catch((error: unknown) => error)
  expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: expect.stringMatching(/^\d+\n$/) })
  // toMatchObject above has looked at it
  const pid = Number((killed as { stdout: string }).stdout)
  await expect.poll(() => runs(pid)).toBe(false)
})

it('keeps the picture library out of the process that asks', async () => {
  const script = `
    const { openImages } = await import(${JSON.stringify(fileURLToPath(new URL('./images.ts', import.meta.url)))})
    const pictures = openImages()
    const { data } = await pictures.qr('upi://pay')
    const loaded = process.report.getReport().sharedObjects.some((path) => /sharp|vips/.test(path))
    console.log(data.length > 100, loaded)
    await pictures.close()
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  })
  expect(stdout.trim()).toBe('true false')
})

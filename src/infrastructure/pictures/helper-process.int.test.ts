import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PictureWorkFailed } from '#application/ports/pictures.ts'
import { helperProcess, type HelperOptions, type HelperProcess } from './helper-process.ts'
import type { Task } from './protocol.ts'

/** Stands in for the real worker: what it does is told by the text of the QR it is asked for. */
const STAND_IN = `
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
  return 'data' in answer ? Buffer.from(answer.data).toString() : ''
}
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
  await writeFile(join(folder, 'stand-in.mjs'), STAND_IN)
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
      name: 'PictureWorkFailed',
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

it('does not start a process that cannot live over and over', async () => {
  await writeFile(join(folder, 'stand-in.mjs'), `throw new Error('no such library')`)
  open()
  await expect(Promise.all([helper.ask(qr('a')), helper.ask(qr('b'))])).rejects.toThrow(PictureWorkFailed)
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

it('ends by itself when the process that asks is killed', async () => {
  const script = `
    const { openPictures } = await import(${JSON.stringify(fileURLToPath(new URL('./pictures.ts', import.meta.url)))})
    const pictures = openPictures({ onStart: (pid) => console.log(pid) })
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
    const { openPictures } = await import(${JSON.stringify(fileURLToPath(new URL('./pictures.ts', import.meta.url)))})
    const pictures = openPictures()
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

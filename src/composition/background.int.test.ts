import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

/** Loads what a process has that is at rest, and gives what V8's collector says until it has said `last`. */
const collectedAtRest = async (last: RegExp): Promise<readonly string[]> => {
  const script = `
    const { startBackground } = await import('#composition/background.ts')
    const log = { warn: console.log, debug: (_, text) => console.log(text) }
    startBackground({ ready: Promise.resolve(), first: [], isBackedUp: true, startWorker: null, log })
    setInterval(() => undefined, 1_000)`
  // A site's V8 looks every eight seconds whether little is going on.
  const flags = ['--trace-gc', '--gc-memory-reducer-start-delay-ms=100']
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', script], {
    // What is compiled under other flags is of no use to a site.
    env: { ...process.env, NODE_COMPILE_CACHE: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  try {
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (last.test(line)) break
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return lines
}

it('gives memory back once all parts are loaded and little is going on', async () => {
  const lines = await collectedAtRest(/Mark-Compact \(reduce\)/)
  expect(lines).toContain('All parts of the program are loaded')
})

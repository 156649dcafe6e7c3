import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

it('gives memory back once all parts are loaded and little is going on', async () => {
  const script = `
    const { startBackground } = await import('#composition/background.ts')
    const log = { warn: console.log, debug: (_, text) => console.log(text) }
    startBackground({ ready: Promise.resolve(), first: [], isBackedUp: true, startWorker: null, log })
    setInterval(() => undefined, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  try {
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (line === 'Memory was given back to the system') break
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  expect(lines).toEqual(['All parts of the program are loaded', 'Memory was given back to the system'])
})

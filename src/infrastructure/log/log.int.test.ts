import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Takes nothing, as a file on a full disk does. */
const fullDevice = '/dev/full'
const log = join(import.meta.dirname, 'log.ts')
const script = `
  import { createLog } from ${JSON.stringify(log)}
  import { setTimeout as pause } from 'node:timers/promises'
  const log = createLog('info', Number(process.argv[1]))
  for (let n = 0; n < 3; n += 1) {
    log.info({ n }, 'a line')
    await pause(20)
  }
  log.fatal({}, 'the last line')
  process.exitCode = 7
`

it.skipIf(!existsSync(fullDevice)).each([1, 2])(
  'a log whose disk is full ends no process, and keeps none from its end (output %i)',
  async (to) => {
    const full = openSync(fullDevice, 'w')
    const stdio = ['ignore', to === 1 ? full : 'ignore', to === 2 ? full : 'ignore'] as const
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, String(to)], {
      stdio: [...stdio],
    })
    const killer = setTimeout(() => child.kill('SIGKILL'), 30_000)
    expect(await once(child, 'exit')).toEqual([7, null])
    clearTimeout(killer)
    closeSync(full)
  },
)

it('a log that nobody reads on keeps no process from its end', async () => {
  const much = `
    import { createLog } from ${JSON.stringify(log)}
    import { setTimeout as pause } from 'node:timers/promises'
    process.stdout.on('error', () => undefined)
    const log = createLog('info')
    for (let n = 0; n < 20; n += 1) {
      log.info({ text: 'x'.repeat(40_000) }, 'a long line')
      await pause(5)
    }
    process.exit(7)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', much], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const killer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  expect(await once(child, 'exit')).toEqual([7, null])
  clearTimeout(killer)
})

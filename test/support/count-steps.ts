import { createHook } from 'node:async_hooks'
import { writeSync } from 'node:fs'

/*
 * Loaded into a program before its own modules: counts what it begins with the disk, the network and its streams, and kills
 * it at the step that KILL_AT names, whatever the machine is busy with. Without KILL_AT the last line says how many there were.
 */
// Not its helpers: they are to end with it.
delete process.env['NODE_OPTIONS']
const killAt = Number(process.env['KILL_AT'] ?? 0)
let steps = 0
createHook({
  init: (_, type) => {
    if (type === 'PROMISE') return
    steps += 1
    if (steps === killAt) process.kill(process.pid, 'SIGKILL')
  },
}).enable()
process.once('exit', () => writeSync(2, `\n${steps}`))

import { backUpOfNight } from '#composition/roles/night.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { readConfig } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { createLog } from '#infrastructure/log/log.ts'

// The backup of a night by the worker's own function, in a process that a test can kill.
const config = readConfig(process.env)
const engines = await openEngines(config, systemClock, createLog('silent'))
const complaint = await backUpOfNight({
  engines,
  clock: systemClock,
  backupDir: config.backupDir ?? '',
  version: '0.0.0-test',
})(new AbortController().signal)
await engines.close()
process.stdout.write(complaint ?? '')

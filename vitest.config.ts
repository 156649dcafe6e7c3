import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { refuseLiveSettings } from './test/support/live-settings.ts'

refuseLiveSettings(import.meta.dirname)

const exclude = ['**/node_modules/**', '**/dist/**', 'test/lint-fixtures/**']

/** Two more than the two cores this is run on at least: much waits for servers and processes. One number for all. */
const maxWorkers = 4

/** Disk, HTTP and child processes: forks, so that a file that breaks its process breaks only itself. */
const integration = {
  pool: 'forks',
  maxWorkers,
  env: {
    NODE_ENV: 'test',
    // Servers named in the environment are for the suites that ask the desk for them; a site that a test
    // starts runs on its embedded engines unless the test says otherwise.
    EVENTSTORE_URL: '',
    MONGODB_URL: '',
    REDIS_URL: '',
    // Where `npm start` keeps compiled code: hundreds of commands are started, each in a third of the time with it.
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'atelier'),
  },
  globalSetup: './src/infrastructure/cluster/testing/engine-desk.ts',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // A condition is waited for, and a busy machine only takes longer to reach it.
  expect: { poll: { timeout: 60_000 } },
} as const

const alone = [
  // Orders faults of the event log that all share; some of them hit everybody who uses it.
  'src/infrastructure/cluster/eventstore/faults.int.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      {
        // Pure functions: many files, no processes, no disk. They share what they load: half their time was loading it anew.
        test: {
          name: 'unit',
          include: ['**/*.unit.test.{ts,tsx}'],
          exclude,
          pool: 'threads',
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
          restoreMocks: true,
          maxWorkers,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          ...integration,
          name: 'int',
          include: ['**/*.int.test.{ts,tsx}'],
          exclude: [...exclude, ...alone],
        },
      },
      {
        // After all the others.
        test: { ...integration, name: 'int alone', include: alone, exclude, sequence: { groupOrder: 1 } },
      },
    ],
  },
})

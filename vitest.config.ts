import { defineConfig } from 'vitest/config'

const exclude = ['**/node_modules/**', '**/dist/**', 'test/lint-fixtures/**']

export default defineConfig({
  test: {
    projects: [
      {
        // Pure functions: many files, no processes, no disk.
        test: {
          name: 'unit',
          include: ['**/*.unit.test.{ts,tsx}'],
          exclude,
          pool: 'threads',
          testTimeout: 20_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        // Disk, HTTP and child processes: forks, so that a file that breaks its process breaks only itself.
        test: {
          name: 'int',
          include: ['**/*.int.test.{ts,tsx}'],
          exclude,
          pool: 'forks',
          maxWorkers: 2,
          env: { NODE_ENV: 'test' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A condition is waited for, and a busy machine only takes longer to reach it.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})

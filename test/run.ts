/**
 * `npm test`: the unit and integration tests, then the journeys through a real browser where one is found.
 * `npm test -- artworks` runs what has it in its path or name, `npm test -- artworks --bail 1` passes options on. The
 * client is built and a browser started only where a test needs them. `npm run test:journeys -- fonts` looks among the
 * journeys alone. The last line is the total over both; the exit code is that of the first part that failed.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Choice, choose } from './support/choose.ts'
import { findChromium } from './support/chromium.ts'
import {
  type Counts,
  type JourneyReport,
  add,
  countJourneys,
  line,
  nothing,
  withExit,
} from './support/counts.ts'

const root = join(import.meta.dirname, '..')
const choice = chooseOrExit()
const browser = choice.playwright === null ? null : browserOrExit()

function chooseOrExit(): Choice {
  const [first, ...rest] = process.argv.slice(2)
  const journeys = first === '--journeys'
  const files = globSync(
    journeys
      ? 'test/**/*.journey.ts'
      : '{src,test,build,bench}/**/*.{unit.test.ts,unit.test.tsx,int.test.ts,int.test.tsx,journey.ts}',
    {
      cwd: root,
      exclude: ['test/lint-fixtures/**'],
    },
  ).toSorted()
  try {
    return choose(
      journeys ? rest : process.argv.slice(2),
      files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
    )
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

/** A wrong CHROMIUM_PATH is said before the tests run, not after minutes of them. */
function browserOrExit(): string | null {
  try {
    return findChromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}

/** A network of its own, which is loopback alone. */
const apart = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

const run = (
  tool: string,
  args: readonly string[],
  env: Record<string, string>,
  { quiet = false, within = [] as readonly string[] } = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const [command = '', ...rest] = [...within, process.execPath, join(root, 'node_modules', tool), ...args]
    const child = spawn(command, rest, {
      cwd: root,
      stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    console.error(`No report was written (${error instanceof Error ? error.message : String(error)}).`)
    return null
  }
}

const vitest = async (
  folder: string,
  chosen: readonly string[],
): Promise<{ exit: number; counts: Counts }> => {
  const file = join(folder, 'counts.json')
  const reporters = ['--reporter=default', '--reporter=./test/support/count-reporter.ts']
  const args = ['run', '--passWithNoTests', ...reporters, ...chosen]
  const exit = await run('vitest/vitest.mjs', args, { COUNTS_FILE: file })
  // The reporter of this repository wrote the file a moment ago.
  const counts = (await readJson(file)) as Counts | null
  return { exit, counts: withExit(counts ?? nothing, exit) }
}

const journeys = async (
  folder: string,
  chosen: readonly string[],
): Promise<{ exit: number; counts: Counts }> => {
  const file = join(folder, 'journeys.json')
  const args = ['test', '--pass-with-no-tests', ...chosen, ...(browser === null ? ['--list'] : [])]
  // Servers in the environment are for the suites of the engines: the journeys' sites need none.
  const env = { JOURNEYS_REPORT: file, EVENTSTORE_URL: '', MONGODB_URL: '', REDIS_URL: '' }
  // A browser gives up what it is loading whenever the machine's network changes, as each container makes it.
  const within = process.env['JOURNEYS_APART'] === '1' ? apart : []
  const exit = await run('@playwright/test/cli.js', args, env, { quiet: browser === null, within })
  const missing = 'no Chromium found: install it (on Debian `apt install chromium`) or set CHROMIUM_PATH'
  // Playwright's own JSON reporter wrote the file; counts.ts reads only fields its documentation names.
  const report = (await readJson(file)) as JourneyReport | null
  return { exit, counts: withExit(report === null ? nothing : countJourneys(report, missing), exit) }
}

const folder = await mkdtemp(join(tmpdir(), 'atelier-test-'))
try {
  if (choice.needsClient) await import('../build/client-if-stale.ts')
  const none = { exit: 0, counts: nothing }
  const first = choice.vitest === null ? none : await vitest(folder, choice.vitest)
  const second = choice.playwright === null ? none : await journeys(folder, choice.playwright)
  const all = add(first.counts, second.counts)
  const counts = choice.byName ? { ...all, skipped: [] } : all
  for (const [reason, names] of Map.groupBy(counts.skipped, (each) => each.reason)) {
    console.log(`\nSkipped, ${reason}:`)
    for (const { name } of names) console.log(`  ${name}`)
  }
  if (counts.failed.length > 0) console.log('\nFailed:')
  for (const { name, reason } of counts.failed) console.log(`  ${name}\n    ${reason}`)
  const ran = counts.passed + counts.failed.length + counts.skipped.length
  if (ran === 0) console.error('\nNo test ran.')
  console.log(`\n${line(counts)}`)
  process.exitCode = first.exit || second.exit || (ran === 0 ? 1 : 0)
} finally {
  await rm(folder, { recursive: true, force: true })
}

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Each fixture is a small house of its own with one thing wrong in it: `<plugin>.<rule>/<case>/src/…`. All of them
// are linted in one run with the repository's own configuration, as if each stood in the real folders.
const root = join(import.meta.dirname, '..')
const fixtures = join(import.meta.dirname, 'lint-fixtures')
const subfolders = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

const rules = (await subfolders(fixtures)).filter((name) => name !== 'clean')
const cases = (
  await Promise.all(
    rules.map(async (rule) => (await subfolders(join(fixtures, rule))).map((name) => ({ rule, name }))),
  )
).flat()

type Diagnostic = { code: string; filename: string; message: string }
let house = ''
let found: Diagnostic[] = []

const houses = ['clean', ...cases.map(({ rule, name }) => `${rule}/${name}`)]

const lint = (folder: string): Promise<Diagnostic[]> =>
  new Promise((resolve, reject) => {
    const command = join(root, 'node_modules', '.bin', 'oxlint')
    const args = ['--type-aware', '--format=json', '-c', join(folder, '.oxlintrc.jsonc'), ...houses]
    execFile(command, args, { cwd: folder, maxBuffer: 32 * 1024 * 1024 }, (_failed, stdout, stderr) => {
      // A lint run that finds something exits with 1; only an answer that is no report means that it did not run.
      try {
        resolve((JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics)
      } catch (cause) {
        reject(new Error(`oxlint gave no report: ${stdout.slice(0, 2000)}${stderr}`, { cause }))
      }
    })
  })

const firedIn = (path: string): string[] => [
  ...new Set(found.filter((each) => each.filename.includes(`${path}/src/`)).map((each) => each.code)),
]

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'atelier-lint-'))
  await cp(join(root, '.oxlintrc.jsonc'), join(house, '.oxlintrc.jsonc'))
  await cp(join(root, 'build', 'lint'), join(house, 'build', 'lint'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(house, 'node_modules'))
  for (const path of houses) {
    await mkdir(join(house, path), { recursive: true })
    await cp(join(fixtures, path), join(house, path), { recursive: true })
    for (const file of ['package.json', 'tsconfig.json']) await cp(join(root, file), join(house, path, file))
  }
  found = await lint(house)
})

afterAll(() => rm(house, { recursive: true, force: true }))

/** Every rule that the configuration names as an error, as a diagnostic names it. */
const configured = async (): Promise<readonly string[]> => {
  type Rules = Record<string, string | readonly unknown[]>
  const text = await readFile(join(root, '.oxlintrc.jsonc'), 'utf8')
  const { rules: all, overrides } = JSON.parse(text.replace(/^ *\/\/.*$/gm, '')) as {
    rules: Rules
    overrides: readonly { rules: Rules }[]
  }
  return [all, ...overrides.map((each) => each.rules)]
    .flatMap((each) => Object.entries(each))
    .filter(([, level]) => [level].flat()[0] === 'error')
    .map(([rule]) =>
      rule.replace('/', '.').replace(/^react\.(?=rules-of-hooks|exhaustive-deps)/, 'react-hooks.'),
    )
}

describe('every lint rule of the house stops what it is there for', () => {
  test.each(cases)('$rule: $name', ({ rule, name }) => {
    const [plugin, code] = rule.split('.')
    expect(firedIn(`${rule}/${name}`)).toEqual([`${plugin}(${code})`])
  })

  test('a rule that the configuration names has a fixture', async () => {
    const named = [...new Set(await configured())]
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([])
  })

  test('a house in which nothing is wrong passes', () => {
    expect(found.filter((each) => each.filename.includes('clean/src/'))).toEqual([])
  })
})

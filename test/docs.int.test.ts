import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingNames } from '#infrastructure/config/config.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => found[1] ?? '')

const decisions = (await readdir(join(root, 'docs', 'decisions'))).map((file) => `docs/decisions/${file}`)
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'docs/status.md',
  'docs/security.md',
  ...decisions,
]

test.each(documents)('%s is of one mind: nothing of a merge stands in it', async (file) => {
  expect(all(await read(file), /^(<{7}|>{7}|={7}$)/gm)).toEqual([])
})

describe('what the documents promise is there', () => {
  test('.env.example lists every setting, and no other', async () => {
    const listed = all(await read('.env.example'), /^#?([A-Z][A-Z_]+)=/gm)
    expect(listed.toSorted()).toEqual(settingNames.toSorted())
  })

  const isClone = existsSync(join(root, '.git'))
  test.skipIf(!isClone)(
    `what the README has put into a clone holds keys and secrets, and is never committed${isClone ? '' : ' (skipped: no clone)'}`,
    () => {
      const made = [
        '.env',
        'backups/a.tar',
        'data/secret',
        'data-from-servers/secret',
        'site.tar',
        'site.tar.keys',
      ]
      const { stdout } = spawnSync('git', ['check-ignore', ...made], { cwd: root, encoding: 'utf8' })
      expect(stdout.trim().split('\n')).toEqual(made)
      const kept = spawnSync('git', ['check-ignore', 'test/fixtures/x/site.tar'], { cwd: root })
      expect(kept.status).toBe(1)
    },
  )

  test.each(['README.md', 'ops/README.md', 'docs/scale.md'])(
    'a secret in %s that is made to be copied is another one each time',
    async (document) => {
      const given = all(await read(document), /^[A-Z_]*(?:SECRET|PASSWORD|TOKEN)=(.*)$/gm)
      expect(given.filter((value) => !value.startsWith('$(openssl rand '))).toEqual([])
    },
  )

  test.each(documents)('links in %s lead to a file', async (document) => {
    const links = all(await read(document), /\]\(([^)#]+)[^)]*\)/g).filter((link) => !link.includes('://'))
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  })

  test.each(documents)('folders and files named in %s exist', async (document) => {
    const named = all(await read(document), /`([a-z][\w.-]*(?:\/[\w.-]+)+)`/g)
    // Rooms are named by their path below src; what commands make in dist is in no fresh clone.
    const missing = named.filter(
      (path) =>
        !path.startsWith('dist/') && !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)),
    )
    expect(missing).toEqual([])
  })

  test.each(documents)('npm scripts named in %s exist', async (document) => {
    const scripts: unknown = JSON.parse(await read('package.json')).scripts
    const named = all(await read(document), /`?npm run ([a-z:-]+)/g)
    expect(named.filter((script) => !Object.hasOwn(scripts as object, script))).toEqual([])
  })

  test.each(documents)('settings shown in %s exist', async (document) => {
    const shown = all(await read(document), /\b([A-Z]+(?:_[A-Z]+)+)\b/g)
    const composed = all(await read('docker-compose.yml'), /\$\{([A-Z_]+)/g)
    const known = [...settingNames, ...composed, 'CHROMIUM_PATH', 'FIREFOX_PATH', 'NODE_COMPILE_CACHE']
    expect([...new Set(shown)].filter((name) => !known.includes(name))).toEqual([])
  })

  test('every row of docs/security.md that is held names a test that is there, every other says why not', async () => {
    const rows = (await read('docs/security.md'))
      .split('\n')
      .filter((line) => /\| (?:held|in part|no|none) \|/.test(line))
      .map((line) => line.split(' | ').map((part) => part.replaceAll('|', '').trim()))
    expect(rows.length).toBeGreaterThan(50)
    const isTest = (path: string): boolean => /\.test\.tsx?$|\.journey\.ts$|^test\/containers\//.test(path)
    for (const [id = '', , state = '', why = ''] of rows) {
      const tests = all(why, /`([^`]+)`/g).filter(isTest)
      expect([id, tests.filter((path) => !existsSync(join(root, path)))]).toEqual([id, []])
      if (state === 'held') expect([id, tests]).toEqual([id, [expect.any(String), ...tests.slice(1)]])
      else expect([id, why]).toEqual([id, expect.stringMatching(/\w+ \w+/)])
    }
  })
})

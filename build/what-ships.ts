/**
 * What ships, as build artefacts and as a check: the bill of materials (CycloneDX) of all packages of every platform and of
 * the fonts, and their licences with their texts, in `dist/ships`. Fails on a licence that is not allowed
 * (`supply/licences.ts`) and on a known vulnerability of anything installed that nobody accepted (`supply/advisories.ts`);
 * where no registry answers about those it says so and goes on.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { complaintsOf, readAudit } from './supply/advisories.ts'
import { componentsOf, wholeBill } from './supply/bill.ts'
import { type Component, licenceLine, refusedLicences, unneededLicences } from './supply/licences.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist', 'ships')
const largest = 64 * 1024 * 1024

/** What a command of npm prints as JSON, whatever it ends with: an audit that finds something ends with 1. */
const npm = async (...args: readonly string[]): Promise<unknown> => {
  const run = promisify(execFile)
  try {
    const { stdout } = await run('npm', args, { cwd: root, maxBuffer: largest })
    return JSON.parse(stdout)
  } catch (error) {
    const printed = z.object({ stdout: z.string().min(1) }).safeParse(error).data
    if (printed === undefined) throw error
    return JSON.parse(printed.stdout)
  }
}

/** The texts that a package's licence asks to be passed on, where it is installed on this machine. */
const textsOf = async ({ name }: Component): Promise<readonly string[]> => {
  const at = join(root, 'node_modules', name)
  const files = await readdir(at).catch(() => [])
  const named = files.filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(file))
  return Promise.all(named.map((file) => readFile(join(at, file), 'utf8')))
}

const fontTexts = ['src/web/client/fonts/OFL.txt', 'src/infrastructure/fonts/newsreader.OFL.txt']

const own = z
  .looseObject({ name: z.string() })
  .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
const bill = wholeBill(
  await npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'),
  own.name,
)
const components = componentsOf(bill)
await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
const texts = await Promise.all(
  components.map(async (each) =>
    (await textsOf(each)).map((text) => `== ${each.name}@${each.version}\n\n${text.trim()}\n`),
  ),
)
const list = components.map((each, n) => licenceLine(each, texts[n]?.length ?? 0))
const withoutText = texts.filter((found) => found.length === 0).length
const fonts = await Promise.all(
  fontTexts.map(async (file) => `== ${file}\n\n${(await readFile(join(root, file), 'utf8')).trim()}\n`),
)
await writeFile(join(folder, 'licences.txt'), [...list, '', ...texts.flat(), ...fonts].join('\n'))

const audit = readAudit(await npm('audit', '--json'))
const wrong = [
  ...refusedLicences(components),
  ...unneededLicences(components).map((entry) => `Nothing needs ${entry} any more: take it off the list`),
  ...('advisories' in audit ? complaintsOf(audit.advisories, new Date().toISOString().slice(0, 10)) : []),
]
const known =
  'advisories' in audit
    ? `${audit.advisories.length} known vulnerabilities, all accepted`
    : `known vulnerabilities not looked up: ${audit.unasked.replace(/ - .*/, '')}`
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`)
  process.exitCode = 1
} else
  process.stdout.write(
    `${components.length} components ship, all under allowed licences (dist/ships); the packages of ${withoutText} bring no text here; ${known}\n`,
  )

/** `npm run bench [name]`: runs the benches whose name contains `name`, prints a table, keeps the numbers as JSON. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { refuseLiveSettings } from '../test/support/live-settings.ts'
import { type Bench, type Row, table } from './row.ts'
import './servers.ts'

refuseLiveSettings(join(import.meta.dirname, '..'))

const wanted = process.argv[2] ?? ''
const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).toSorted()
const names = files.map((file) => file.slice(0, -'.bench.ts'.length))
const chosen = files.filter((_, index) => names[index]?.includes(wanted))
if (chosen.length === 0) {
  console.error(`No bench is called ${wanted}. There are: ${names.join(', ')}`)
  process.exit(2)
}

const results: Record<string, Row[]> = {}
for (const file of chosen) {
  // Every *.bench.ts exports one Bench as its default; a file that does not fails here, by name.
  const { default: bench } = (await import(join(import.meta.dirname, file))) as { default: Bench }
  console.log(`\n${bench.name}`)
  const missing = bench.missing?.() ?? null
  if (missing !== null) {
    console.log(`skipped: ${missing}`)
    continue
  }
  try {
    const rows = await bench.run()
    results[file.slice(0, -'.bench.ts'.length)] = rows
    console.log(table(rows))
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}

const at = new Date().toISOString()
const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
}
const folder = join(import.meta.dirname, 'results')
await mkdir(folder, { recursive: true })
const file = join(folder, `${at.replaceAll(':', '-').slice(0, 19)}${wanted && `-${wanted}`}.json`)
await writeFile(file, `${JSON.stringify({ at, machine, results }, null, 2)}\n`)
console.log(`\n${file}`)

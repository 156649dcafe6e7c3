import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

const script = join(import.meta.dirname, '..', '..', 'ops', 'rolling-update')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-rolling-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A Docker of whose web processes those numbers are there, all of one image; whatever is started is noted and fails. */
const dockerWith = (numbers: readonly number[]): string => `#!/bin/sh
case "$*" in
  'compose ps --all --quiet web') printf '%s\\n' ${numbers.join(' ')} ;;
  'compose ps --all --quiet projector') echo projector ;;
  'compose exec '*) ;;
  *'{{.Image}}'*) shift 3; for each; do echo image; done ;;
  *container-number*) shift 3; printf '%s\\n' "$@" ;;
  'compose up '*) echo "$*" >> '${join(folder, 'started')}'; exit 1 ;;
  *) echo log ;;
esac
`

/** What an update says, and what it began. */
const update = async (numbers: readonly number[]): Promise<{ said: string; started: string }> => {
  await writeFile(join(folder, 'docker'), dockerWith(numbers), { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` }
  const said = await promisify(execFile)(script, [], { env }).then(({ stderr }) => stderr, String)
  return { said, started: await readFile(join(folder, 'started'), 'utf8').catch(() => '') }
}

/** It is said what to do, and nothing was begun. */
const expectRefused = ({ said, started }: { said: string; started: string }, highest: number): void => {
  expect(said).toContain(`The web processes are numbered up to ${highest}`)
  expect(said).toContain('--scale web=0 web')
  expect(started).toBe('')
}

it('begins nothing where the proxy would not find the new ones, as the numbers of the old ones are too high', async () => {
  expectRefused(await update([5, 6, 7, 8]), 8)
  expectRefused(await update([7, 8]), 8)
})

it('begins with a projector beside the old one as long as the proxy finds all web processes', async () => {
  for (const numbers of [[1, 2, 3, 4], [5, 6], [7]]) {
    const { started } = await update(numbers)
    expect(started).toContain('--scale projector=2 projector')
  }
})

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

/** A Docker of whose web processes those numbers are there, all of one image; whatever is started is noted, and fails from then on. */
const dockerWith = (numbers: readonly number[], failsFrom: number): string => `#!/bin/sh
case "$*" in
  'compose ps --all --quiet web') printf '%s\\n' ${numbers.join(' ')} ;;
  'compose ps --all --quiet projector') echo projector ;;
  'compose exec '*) ;;
  *'{{.Image}}'*) shift 3; for each; do echo image; done ;;
  *container-number*) shift 3; printf '%s\\n' "$@" ;;
  'compose up '*) echo "$*" >> '${join(folder, 'started')}'; [ "$(wc -l < '${join(folder, 'started')}')" -lt ${failsFrom} ] ;;
  *) echo log ;;
esac
`

/** What an update says, and what it began. */
const update = async (
  numbers: readonly number[],
  failsFrom = 1,
): Promise<{ said: string; started: string }> => {
  await writeFile(join(folder, 'docker'), dockerWith(numbers, failsFrom), { mode: 0o755 })
  await writeFile(join(folder, 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
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

it('says what is left to do where it fails when the new ones serve already', async () => {
  const taken = 'was taken away again: they serve as before'
  const left = 'The new ones serve, but not all is in its place'
  for (const failsFrom of [1, 2]) {
    const { said } = await update([1, 2], failsFrom)
    expect(said).toContain(taken)
    expect(said).not.toContain(left)
    await rm(join(folder, 'started'))
  }
  for (const failsFrom of [3, 4, 5]) {
    const { said, started } = await update([1, 2], failsFrom)
    expect(said).toContain(`${left}. What is left is done by: docker compose up -d --wait --scale web=2`)
    expect(said).not.toContain(taken)
    expect(started.split('\n').filter((line) => line !== '')).toHaveLength(failsFrom)
    await rm(join(folder, 'started'))
  }
  expect((await update([1, 2], 99)).said).not.toContain(left)
})

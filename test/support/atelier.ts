import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const cli = join(import.meta.dirname, '../../src/cli.ts')

/** What came of one run of the operator's command. */
export interface CliRun {
  readonly output: string
  readonly errors: string
  readonly code: number | null
}

/** Begins a run of `atelier` on a data folder, for whoever signals it on the way. */
export const runCli = (
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) => spawn(process.execPath, [cli, ...args], { env: { ...process.env, DATA_DIR: dataDir, ...env } })

/** Runs `atelier` on a data folder, with something to read from standard input. @param env more settings */
export const atelier = async (
  dataDir: string,
  args: readonly string[],
  input: string | Buffer = '',
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> => {
  const child = runCli(dataDir, args, env)
  child.stdin.end(input)
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ])
  return { output, errors, code }
}

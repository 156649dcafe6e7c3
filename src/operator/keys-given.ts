import { resolve } from 'node:path'
import type { Args } from './command/operation.ts'

/** `--keys` as it was given, any number of times. */
export const keysGiven = (args: Args): readonly string[] =>
  // Made by the commands that have it.
  (JSON.parse(args['keys'] ?? '[]') as readonly string[]).map((path) => resolve(path))

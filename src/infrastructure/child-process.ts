import { getCompileCacheDir } from 'node:module'

/** What a child process may know of the environment; no secret of the site is among it. */
const passed = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'] as const

/**
 * What of the environment is passed on to a child process, with names that it needs besides. It starts in half the time, and
 * without the type stripper's memory, where this process keeps compiled code. Node runs what it finds there unchecked: where
 * this one keeps none, the child keeps none either, least of all where the machine has its temporary files.
 */
export const childEnvironment = (more: readonly string[] = []): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir()
  return {
    ...Object.fromEntries(
      [...passed, ...more].flatMap((name) =>
        process.env[name] === undefined ? [] : [[name, process.env[name]]],
      ),
    ),
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
  }
}

/** How a process ended, in words. @param isLackOfMemory whether it looks like that */
export const endInWords = (
  code: number | null,
  signal: NodeJS.Signals | null,
  isLackOfMemory: boolean,
): string => {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  return `${how}${isLackOfMemory ? ', perhaps because the machine ran out of memory' : ''}`
}

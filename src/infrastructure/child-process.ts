/** What a child process may know of the environment; no secret of the site is among it. */
const passed = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'] as const

/** What of the environment is passed on to a child process, with names that it needs besides. */
export const childEnvironment = (more: readonly string[] = []): NodeJS.ProcessEnv =>
  Object.fromEntries(
    [...passed, ...more].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )

/** How a process ended, in words. @param isLackOfMemory whether it looks like that */
export const endInWords = (
  code: number | null,
  signal: NodeJS.Signals | null,
  isLackOfMemory: boolean,
): string => {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  return `${how}${isLackOfMemory ? ', perhaps because the machine ran out of memory' : ''}`
}

/** What an error says, whatever was thrown. */
export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Whatever was thrown, as an error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The system's code of an error, such as `ENOENT`; null where it has none. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** Whether what was asked of the disk is not there; nor is anything below a file where a folder was. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')

/** Null for a file that is not there. @throws any other error */
export const unlessMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}

/** Joins class names and leaves out what is absent, so that a condition can stand in the call. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

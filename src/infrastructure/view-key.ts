import type { ViewDefinition } from '#application/kernel/ports/documents.ts'

const nameForm = /^[A-Za-z][A-Za-z0-9_-]*$/
const buildForm = /^[a-z0-9]+$/
const fieldForm = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Under which a view and its checkpoint are kept: each version and each build has its own, so that one can be built
 * beside another.
 * @throws TypeError for a name that is no plain word
 */
export const viewKey = ({ name, version, build }: ViewDefinition): string => {
  if (!nameForm.test(name) || !Number.isSafeInteger(version))
    throw new TypeError(`"${name}" version ${version} cannot name a view`)
  if (build !== undefined && !buildForm.test(build)) throw new TypeError(`"${build}" cannot name a build`)
  return `${name}_v${version}${build === undefined ? '' : `~${build}`}`
}

/** Which version of a view a key names; null where it names another view, or a build. */
export const versionIn = ({ name }: Pick<ViewDefinition, 'name'>, key: string): number | null => {
  const version = key.startsWith(`${name}_v`) ? key.slice(name.length + 2) : ''
  return /^\d+$/.test(version) ? Number(version) : null
}

/** A field of a document as it may stand in a query. @throws TypeError for a name that is no plain word */
export const checkedField = (field: string): string => {
  if (!fieldForm.test(field)) throw new TypeError(`"${field}" cannot name a field of a document`)
  return field
}

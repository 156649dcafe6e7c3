import { fieldLimits } from '#domain/field-limits.ts'

/**
 * An http or https address, resolved against a base; null for anything else, and for one that is longer than any
 * that is kept.
 */
export const webAddress = (text: string | undefined, base?: string): string | null => {
  if (text === undefined || text.length > fieldLimits.address || text.trim() === '') return null
  const url = URL.parse(text.trim(), base)
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
  return isWeb && url.href.length <= fieldLimits.address ? url.href : null
}

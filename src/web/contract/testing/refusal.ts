import type { z } from 'zod'
import { type ErrorBody, validationError } from '../errors.ts'

/** The 422 that a value gets from a schema; throws when the schema takes it. */
export const refusal = (schema: z.ZodType, value: unknown): ErrorBody => {
  const parsed = schema.safeParse(value)
  if (parsed.success)
    throw new Error(`Expected a refusal, but it was taken as ${JSON.stringify(parsed.data)}`)
  return validationError(parsed.error)
}

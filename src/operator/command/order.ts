import { z } from 'zod'

/** What is asked of a running server. */
export const asked = z.strictObject({ operation: z.string(), args: z.record(z.string(), z.string()) })
export type OperatorOrder = z.output<typeof asked>

export const progress = z.strictObject({
  what: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.string(),
})

/** What came of it. */
export const outcome = z.strictObject({
  ok: z.boolean(),
  message: z.string(),
  data: z.unknown().optional(),
  tookOutput: z.boolean().optional(),
})
export type OperatorOutcome = z.output<typeof outcome>

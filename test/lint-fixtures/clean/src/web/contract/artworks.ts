import { z } from 'zod'

export const artwork = z.object({ id: z.string() })

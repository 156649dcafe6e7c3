import type { Execute } from '#application/execute.ts'

export type Used = Execute

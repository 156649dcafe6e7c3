import type { Execute } from '#application/kernel/execute.ts'

export type Used = Execute

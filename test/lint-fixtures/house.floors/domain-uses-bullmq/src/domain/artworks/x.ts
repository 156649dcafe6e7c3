import { thing } from 'bullmq'

export const used = thing

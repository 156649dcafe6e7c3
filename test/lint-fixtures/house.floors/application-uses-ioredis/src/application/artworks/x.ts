import { thing } from 'ioredis'

export const used = thing

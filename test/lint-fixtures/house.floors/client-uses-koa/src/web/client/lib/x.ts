import { thing } from 'koa'

export const used = thing

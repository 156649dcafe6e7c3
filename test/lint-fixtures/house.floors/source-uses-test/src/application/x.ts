import { thing } from '../../test/helpers.ts'

export const used = thing

import { join } from 'path'

export const at = (name: string): string => join('a', name)

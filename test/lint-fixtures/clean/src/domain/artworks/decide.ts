import { z } from 'zod'
import type { Added } from './events.ts'

export const title = z.string()
export const decide = (event: Added): readonly Added[] => [event]
export const at = (command: { at: string }): Date => new Date(command.at)

import { randomUUID } from 'node:crypto'
import type { CommandContext } from '#application/kernel/envelope.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Args } from './operation.ts'

/** An argument that must be there. @throws {Refusal} in words when it is not */
export const given = (args: Args, name: string): string => {
  const value = args[name]
  if (value === undefined || value === '') throw new Refusal('invalid', `${name} is missing`)
  return value
}

/** The context of a command that an operator's operation sends. */
export const operatorContext = (name: string, now: Date): CommandContext => {
  const id = randomUUID()
  return { commandId: id, correlationId: id, causationId: id, actor: { kind: 'system', name }, now }
}

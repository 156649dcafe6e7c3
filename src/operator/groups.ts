import { admin } from './admin.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { events } from './events.ts'
import { images } from './images.ts'
import { jobs } from './jobs.ts'
import { move } from './move.ts'
import type { CommandGroup, Operation } from './command/operation.ts'
import { projections } from './projections.ts'
import { samples } from './samples.ts'

/** Every group of commands, in the order of the help. */
export const groups: readonly CommandGroup[] = [
  projections,
  events,
  backup,
  move,
  jobs,
  images,
  admin,
  samples,
  doctor,
]

/** The operation of a name that came over a socket; null when there is none. */
export const operationCalled = (name: string): Operation | null =>
  groups.flatMap(({ operations }) => operations).find((operation) => operation.name === name) ?? null

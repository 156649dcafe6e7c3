import { unreadableWithAdvice } from '#application/kernel/archive/unreadable-events.ts'
import { UnreadableEvent } from '#application/kernel/codec.ts'
import { refusedBy } from '#application/kernel/execute.ts'
import type { Operation, ProjectorPorts, Result, SitePorts, Task } from './operation.ts'
import type { OperatorOrder, OperatorOutcome } from './order.ts'

/** What a running server lends to operations. */
export interface ServerPorts extends SitePorts {
  /** what builds the views that this process leads; null while it leads none */
  readonly builder: () => ProjectorPorts['build'] | null
  /** The operation of a name that came over a socket; null when there is none. Loads most of the application. */
  readonly operationCalled: (name: string) => Promise<Operation | null>
}

const messageOf = (error: unknown): string | null =>
  error instanceof UnreadableEvent
    ? unreadableWithAdvice({ count: 1, first: error.message })
    : (refusedBy(error)?.message ?? null)

/** Gives what an operation came to, or why it could not be done in words. @throws what is neither a refusal nor the log's fault */
export const refusalInWords = async (doing: () => Promise<Result>): Promise<OperatorOutcome> => {
  try {
    return { ok: true, ...(await doing()) }
  } catch (error) {
    const message = messageOf(error)
    if (message === null) throw error
    return { ok: false, message }
  }
}

const unknown = {
  ok: false,
  message: 'The running server does not know this command. Is it of another version?',
}

const withProjector = (
  ports: ServerPorts,
  operation: Operation & { readonly needs: 'projector' },
  args: OperatorOrder['args'],
  task: Task,
): Promise<OperatorOutcome> | OperatorOutcome => {
  const build = ports.builder()
  if (build === null) {
    return {
      ok: false,
      message: 'Nothing is projected at the moment. Look into the server’s log, then ask again',
    }
  }
  return refusalInWords(() => operation.run({ ...ports, build }, args, task))
}

/** Does in a running server what an operator has asked for. @throws what is no refusal */
export const carryOut = async (
  ports: ServerPorts,
  asked: OperatorOrder,
  task: Task,
): Promise<OperatorOutcome> => {
  const operation = await ports.operationCalled(asked.operation)
  if (operation === null) return unknown
  ports.log.info({ operation: operation.name }, 'an operator’s command')
  if (operation.needs === 'projector') return withProjector(ports, operation, asked.args, task)
  if (operation.needs === 'site' || operation.needs === 'engines')
    return refusalInWords(() => operation.run(ports, asked.args, task))
  return unknown
}

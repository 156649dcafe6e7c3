import type { JobHandlers } from '#application/kernel/ports/job-queue.ts'
import { eachHandler } from './each-handler.ts'

/**
 * Lets no job begin whose outcome could not be recorded: it would act outside of Atelier, again at every try.
 * @param refuse throws while nothing can be recorded
 */
export const whenRecordable = (handlers: JobHandlers, refuse: () => Promise<void>): JobHandlers =>
  eachHandler(handlers, (handler) => ({
    ...handler,
    run: async (data, job) => {
      await refuse()
      await handler.run(data, job)
    },
  }))

import { asError } from '#application/kernel/reason.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { JobQueue } from '#application/kernel/ports/job-queue.ts'
import { imageLooks } from '#projections/images/queries.ts'
import type { Views } from '#projections/runtime/views.ts'

/** Jobs looked at for those that were given up. */
const mostJobs = 1_000

/**
 * Follows the making of images until every one of these is made or was given up.
 * @param tell called with how many are made, first of all at once
 */
export const followImages = (
  {
    documents,
    jobs,
    views,
  }: {
    readonly documents: Documents
    readonly jobs: Pick<JobQueue, 'list' | 'onChange'>
    readonly views: Pick<Views, 'onChange'>
  },
  hashes: readonly string[],
  tell: (made: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const stops: (() => void)[] = []
    const stop = (): void => stops.splice(0).forEach((each) => each())
    let asking: Promise<void> | null = null
    let askAgain = false
    const ask = async (): Promise<void> => {
      const [looks, parked] = await Promise.all([
        imageLooks(documents, hashes),
        jobs.list({ states: ['parked'], limit: mostJobs }),
      ])
      const givenUp = new Set(parked.map(({ subjectId }) => subjectId))
      // One that is not kept here any more is not waited for.
      const open = hashes.filter((hash) => looks.get(hash)?.ready === false)
      tell(hashes.length - open.length)
      if (open.some((hash) => !givenUp.has(hash))) return
      stop()
      resolve()
    }
    // One question at a time; what changes meanwhile is asked for after it.
    const look = (): void => {
      askAgain = true
      asking ??= (async () => {
        while (askAgain) {
          askAgain = false
          await ask()
        }
      })()
        .catch((error: unknown) => {
          stop()
          reject(asError(error))
        })
        .finally(() => {
          asking = null
        })
    }
    stops.push(views.onChange(look), jobs.onChange(look))
    look()
  })

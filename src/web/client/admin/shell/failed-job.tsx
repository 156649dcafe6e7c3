import { retryJob } from '#web/contract/addresses.ts'
import type { Job } from '#web/contract/status.ts'
import { Button } from '../../ui/button.tsx'
import { JOB_WORDS, SHELL_WORDS } from './shell-words.ts'
import { Banner } from '../form/banner.tsx'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'

/** Work that failed for good, why, and the way to have it tried again. */
export function FailedJob({ job }: { job: Job }) {
  const { save, pending } = useSave(retryJob, {
    refetch: [KEYS.jobs],
    success: SHELL_WORDS.retried,
    failure: SHELL_WORDS.retryFailed,
  })
  const what = JOB_WORDS[job.name] ?? job.name
  return (
    <Banner
      tone="urgent"
      actions={
        <Button
          busy={pending}
          aria-label={`${SHELL_WORDS.tryAgain}: ${what}`}
          onClick={() => !pending && void save({ params: { id: job.id } })}
        >
          {pending ? SHELL_WORDS.trying : SHELL_WORDS.tryAgain}
        </Button>
      }
    >
      {SHELL_WORDS.jobFailed(what, job.reason ?? SHELL_WORDS.noReason)}
    </Banner>
  )
}

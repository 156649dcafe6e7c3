import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Artwork } from '#web/contract/artworks.ts'
import type { JobList } from '#web/contract/status.ts'
import { KEYS } from '../lib/queries.ts'

const HASH = /^\/images\/([0-9a-f]+)\//

const isPreparing = ({ image }: Artwork): boolean => image !== null && !image.ready

/**
 * How far the pictures are prepared that are not ready yet. The list of jobs is fetched only while there are
 * such pictures; the server says when it has changed.
 */
export function usePreparing(works: readonly Artwork[]): (work: Artwork) => number | null {
  const { data } = useQuery<JobList>({ queryKey: KEYS.jobs, enabled: works.some(isPreparing) })
  return useCallback(
    (work) => {
      const hash = HASH.exec(work.imageUrl)?.[1]
      if (!hash || !isPreparing(work)) return null
      const job = data?.items.find(({ subjectId, state }) => subjectId === hash && state !== 'done')
      return job && job.total > 0 ? job.done / job.total : null
    },
    [data],
  )
}

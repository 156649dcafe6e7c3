import { useCallback } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { useJobs } from '../lib/queries.ts'

const HASH = /^\/images\/([0-9a-f]+)\//

const isPreparing = ({ image }: Artwork): boolean => image !== null && !image.ready

export type Preparing = {
  /** 0 to 1; null while nothing is known */
  part: number | null
  /** why it was given up, in the server's words */
  failed: string | null
}

/**
 * How far the images are prepared that are not ready yet; null for the others. The list of jobs is fetched
 * only while there are such images; the server says when it has changed.
 */
export function usePreparing(artworks: readonly Artwork[]): (artwork: Artwork) => Preparing | null {
  const { data } = useJobs(artworks.some(isPreparing))
  return useCallback(
    (artwork) => {
      if (!isPreparing(artwork)) return null
      const hash = HASH.exec(artwork.imageUrl)?.[1]
      const job = data?.items.find(({ subjectId, state }) => subjectId === hash && state !== 'done')
      return {
        part: job && job.total > 0 ? job.done / job.total : null,
        failed: job?.state === 'parked' ? job.reason : null,
      }
    },
    [data],
  )
}

import { useQuery } from '@tanstack/react-query'
import { getArtwork } from '#web/contract/addresses.ts'
import { PAGE } from '../lib/page-queries.ts'
import { keyOf } from '../lib/queries.ts'

/**
 * The description of an open artwork, which the document of a big gallery leaves out; null while it is on its way.
 * @param known as the document brought it
 */
export function useDescription(id: string, known: string | null): string | null {
  const { data } = useQuery({
    queryKey: [PAGE, ...keyOf(getArtwork, { params: { id } })],
    queryFn: async ({ signal }) => {
      const { call } = await import('../lib/api.ts')
      return call(getArtwork, { params: { id }, signal })
    },
    enabled: known === null,
  })
  return known ?? data?.description ?? null
}

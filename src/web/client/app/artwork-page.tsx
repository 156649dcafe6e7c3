import { useParams } from '@tanstack/react-router'
import { dataOf, idInAddress } from '../lib/page-data.ts'
import { usePublicState } from '../lib/page-store.ts'

export function ArtworkPage() {
  const { slugAndId } = useParams({ from: '/site/artwork/$slugAndId' })
  const works = dataOf(usePublicState().artworks, [])
  const work = works.find((each) => each.id === idInAddress(slugAndId))
  return work ? <section role="dialog">{work.title}</section> : null
}

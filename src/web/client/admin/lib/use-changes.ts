import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ChangedModel } from '#web/contract/changes.ts'
import { onChanges } from '../../lib/changes.ts'
import { KEYS } from './queries.ts'
import { postpone } from './under-way.ts'

/** The lists that a model is shown in. */
const LISTS: Record<ChangedModel, readonly (readonly string[])[]> = {
  artworks: [KEYS.artworks, KEYS.deletedArtworks, KEYS.samples],
  categories: [KEYS.categories, KEYS.samples],
  mediums: [KEYS.mediums, KEYS.samples],
  'site-content': [KEYS.siteContent, KEYS.samples],
  'blog-posts': [KEYS.posts, KEYS.samples],
  'contact-messages': [KEYS.messages],
  activity: [KEYS.activity],
  jobs: [KEYS.jobs],
  sync: [KEYS.sync],
  status: [KEYS.status],
}

/** Refetches what the server says has changed, while the dashboard is open. */
export function useChanges(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges((models) => {
        for (const key of new Set<QueryKey>(models.flatMap((model) => LISTS[model]))) {
          // A save under way refetches when it is done; an earlier answer would take its change off the screen.
          if (!postpone(key)) void client.invalidateQueries({ queryKey: key })
        }
      }, 'dashboard'),
    [client],
  )
}

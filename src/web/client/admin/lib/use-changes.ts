import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ChangedModel } from '#web/contract/changes.ts'
import { onChanges } from '../../lib/changes.ts'
import { KEYS } from './queries.ts'
import { refresh } from './refresh.ts'
import { postpone } from './under-way.ts'

/** The lists that a model is shown in. */
const LISTS: Record<ChangedModel, readonly (readonly string[])[]> = {
  artworks: [KEYS.artworks, KEYS.deletedArtworks],
  categories: [KEYS.categories],
  mediums: [KEYS.mediums],
  'site-content': [KEYS.siteContent],
  'blog-posts': [KEYS.posts],
  'contact-messages': [KEYS.messages],
  activity: [KEYS.activity],
  jobs: [KEYS.jobs],
  sync: [KEYS.sync],
}

/** Refetches what the server says has changed, while the dashboard is open (decisions 97). */
export function useChanges(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges((models) => {
        for (const key of models.flatMap((model) => LISTS[model])) {
          // A save under way refetches when it is done; an earlier answer would take its change off the screen.
          if (!postpone(key)) void refresh(client, key)
        }
      }, 'dashboard'),
    [client],
  )
}

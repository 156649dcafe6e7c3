import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { batchArtworks } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { useSave } from '../lib/save.ts'
import { isOwners } from '../lib/stale.ts'
import { createBatchQueue, type Progress, type Row } from './batch-queue.ts'

export type BatchFile = Pick<Row, 'key' | 'title' | 'preview'> & Progress

const isOpen = ({ state }: BatchFile): boolean =>
  state === 'waiting' || state === 'uploading' || state === 'adding'

const UNTRIED = { state: 'waiting', part: 0, reason: null, help: null, isFinal: false, id: null } as const

/** Several images on their way to become artworks, for as long as they are looked at; what has arrived is added all the same. */
export function useBatch() {
  const [files, setFiles] = useState<readonly BatchFile[]>([])
  const client = useQueryClient()
  const { save } = useSave(batchArtworks, {
    success: null,
    failure: TOASTS.artworkAddFailed,
    unauthorized: 'nothing',
  })
  const [queue] = useState(() =>
    createBatchQueue(
      save,
      ({ key, title, preview }) => setFiles((list) => [...list, { ...UNTRIED, key, title, preview }]),
      (key, to) => setFiles((list) => list.map((each) => (each.key === key ? { ...each, ...to } : each))),
      // A list that is refused has the dashboard ask for the login.
      () => void client.invalidateQueries({ predicate: isOwners }),
    ),
  )
  useEffect(() => queue.close, [queue])
  return { files, running: files.some(isOpen), queue }
}

/** How a file of the queue stands now: what was made of it may have been published or taken back since. */
export type BatchState = BatchFile['state'] | 'published' | 'gone'

/** @param artworks all that there are now; undefined while they are not known */
export function batchState(
  { state, id }: Pick<BatchFile, 'state' | 'id'>,
  artworks: readonly Pick<Artwork, 'id' | 'isVisible'>[] | undefined,
): BatchState {
  if (state !== 'added' || artworks === undefined) return state
  const artwork = artworks.find((each) => each.id === id)
  if (artwork === undefined) return 'gone'
  return artwork.isVisible ? 'published' : 'added'
}

import { useCallback, useEffect, useState } from 'react'
import type { NewArtworkInput } from '#web/contract/artworks.ts'
import { draftOf, dropDraft, type FoundDraft, holdDraft, keepDraft, offerLater } from '../lib/drafts.ts'

/** Artworks to be, whose images have arrived. */
export type Arrived = readonly NewArtworkInput[]

const DRAFT = 'several'

export const newSlot = (now: Date): string => `${DRAFT}~${now.getTime()}`

export function keepArrived(slot: string, arrived: Arrived): void {
  if (arrived.length === 0) dropDraft(slot)
  else keepDraft(slot, arrived, new Date())
}

let underWay = 0
let letGo = (): void => undefined

/** What has arrived is being added, and not offered meanwhile, here or in another tab, until the returned function is called. */
export function holdArrived(): () => void {
  underWay += 1
  if (underWay === 1) letGo = holdDraft(DRAFT, () => undefined)
  return () => {
    underWay -= 1
    if (underWay === 0) letGo()
  }
}

/** Images that had arrived on an earlier visit, which ended before artworks were made of them. `look` looks again. */
export function useArrived(): {
  draft: FoundDraft<Arrived> | null
  look: () => FoundDraft<Arrived> | null
} {
  const read = (): FoundDraft<Arrived> | null => (underWay > 0 ? null : draftOf<Arrived>(DRAFT))
  const [draft, setDraft] = useState(read)
  const look = useCallback(() => {
    const now = read()
    setDraft(now)
    return now
  }, [])
  useEffect(() => offerLater(DRAFT, () => setDraft(null), look), [look])
  return { draft, look }
}

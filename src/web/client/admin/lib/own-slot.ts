import { draftOf, dropDraft, type FoundDraft, isTaken, keepDraft, sentFrom, withholdDraft } from './drafts.ts'

export type OwnSlot<T> = {
  /** Keeps this as what is typed; gives its slot. */
  keep: (value: T, at?: Date) => string
  /** Notes with what is typed that this was sent of it; it stays until what was typed is forgotten. */
  noteSent: (value: T, sent: unknown) => void
  /** What was noted so, also by an earlier page. */
  sent: () => unknown
  /** Forgets what was typed, and nothing else that stands in its place. */
  drop: () => void
  /** Another tab types: what is typed here, where nothing is kept yet, goes beside it. */
  giveWay: () => void
  /** What stands in that slot is what is typed from now on. */
  take: (slot: string) => void
  /** What was typed stays where it is; what is typed from now on goes beside it. */
  leave: () => void
  /** See `withholdDraft`. */
  withhold: () => () => void
  /** The newest draft that is neither what is typed nor in the slot `but`; null when there is none. */
  others: (but: string | null) => FoundDraft<T> | null
}

/** Where what is typed into one form is kept: never over a draft that is not decided yet. */
export function createOwnSlot<T>(name: string): OwnSlot<T> {
  let slot = name
  /** what stands there was typed here */
  let isMine = false
  const goBeside = (): void => {
    // A number that no other has, also within one millisecond.
    let at = Date.now()
    while (isTaken(`${name}~${at}`)) at += 1
    slot = `${name}~${at}`
  }
  const leave = (): void => {
    isMine = false
    goBeside()
  }
  const makeMine = (): void => {
    if (!isMine && isTaken(slot)) goBeside()
    isMine = true
  }
  return {
    keep: (value, at = new Date()) => {
      makeMine()
      keepDraft(slot, value, at)
      return slot
    },
    noteSent: (value, sent) => {
      makeMine()
      keepDraft(slot, value, new Date(), sent)
    },
    sent: () => (isMine ? sentFrom(slot) : undefined),
    drop: () => {
      if (isMine) dropDraft(slot)
      isMine = false
    },
    giveWay: () => {
      if (!isMine && slot === name) goBeside()
    },
    take: (taken) => {
      slot = taken
      isMine = true
    },
    leave,
    withhold: () => withholdDraft(slot),
    others: (but) => draftOf<T>(name, [...(isMine ? [slot] : []), ...(but === null ? [] : [but])]),
  }
}

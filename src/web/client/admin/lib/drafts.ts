/** What was typed and not saved, by slot. ARCHITECTURE tells its way ("What is typed and not saved"). */

/** @property sent the body of a call that was made with it and may have acted */
export type Draft<T> = { savedAt: string; value: T; sent?: unknown }
/** @property slot what it is kept as, for `dropDraft` */
export type FoundDraft<T> = Draft<T> & { slot: string }

const storedAs = (slot: string): string => `atelier.draft.${slot}`
const nameOf = (slot: string): string => slot.split('~')[0] ?? slot

/** Keeps a draft; a browser that refuses (private mode, full) only costs the offer after a crash. */
export function keepDraft(slot: string, value: unknown, now: Date, sent = sentFrom(slot)): void {
  try {
    localStorage.setItem(storedAs(slot), JSON.stringify({ savedAt: now.toISOString(), value, sent }))
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}

/** What was sent of the draft in a slot, now or by an earlier page; it goes with the draft. */
export function sentFrom(slot: string): unknown {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(storedAs(slot)) ?? 'null')
    return typeof draft === 'object' && draft !== null && 'sent' in draft ? draft.sent : undefined
  } catch {
    // What cannot be read was sent by nobody; reading it as a draft tells.
    return undefined
  }
}

/** What is kept in a slot; null when it is being saved, when there is nothing or it cannot be read. */
export function draftIn<T>(slot: string): FoundDraft<T> | null {
  const text = underWay.has(slot) ? null : localStorage.getItem(storedAs(slot))
  const draft: unknown = text === null ? null : JSON.parse(text)
  if (typeof draft !== 'object' || draft === null || !('value' in draft) || !('savedAt' in draft)) return null
  if (typeof draft.savedAt !== 'string') return null
  // Written under this name only by keepDraft, with the form's own edits.
  return { slot, savedAt: draft.savedAt, value: draft.value as T }
}

/** Whether anything stands in a slot, also what is being saved. */
export function isTaken(slot: string): boolean {
  try {
    return localStorage.getItem(storedAs(slot)) !== null
  } catch {
    // Nothing can be kept there either, which `keepDraft` tells.
    return false
  }
}

const slots = (): readonly string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(storedAs('')))
    .map((key) => key.slice(storedAs('').length))

/**
 * The newest draft of that name; null when there is none or it cannot be read.
 * @param but slots that are not meant, as what is being typed
 */
export function draftOf<T>(name: string, but: readonly string[] = []): FoundDraft<T> | null {
  try {
    const found = slots().flatMap((slot) =>
      nameOf(slot) === name && !but.includes(slot) ? (draftIn<T>(slot) ?? []) : [],
    )
    return found.toSorted((one, other) => other.savedAt.localeCompare(one.savedAt))[0] ?? null
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

/** @param keptAt drops only what was kept then, and nothing that was since */
export function dropDraft(slot: string, keptAt?: Date): void {
  try {
    if (keptAt && draftIn(slot)?.savedAt !== keptAt.toISOString()) return
    localStorage.removeItem(storedAs(slot))
  } catch (error) {
    console.warn('The draft could not be dropped', error)
  }
  tell()
}

const listeners = new Set<(again?: string) => void>()
const tell = (again?: string): void => {
  for (const hear of listeners) hear(again)
}

/**
 * Calls `hear` when a draft is dropped, here or in another tab, or what was being saved is offered again, which is the
 * slot `again`; gives the way to end that.
 */
export function onDraftsChanged(hear: (again?: string) => void): () => void {
  const hearOthers = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null && (key === null || key.startsWith(storedAs('')))) hear()
  }
  listeners.add(hear)
  window.addEventListener('storage', hearOthers)
  return () => {
    listeners.delete(hear)
    window.removeEventListener('storage', hearOthers)
  }
}

/** Slots whose text is being saved. */
const underWay = new Set<string>()

/** Offers the draft in that slot to nobody, because it is being saved, until the returned function is called. */
export function withholdDraft(slot: string): () => void {
  underWay.add(slot)
  return () => {
    underWay.delete(slot)
    tell(slot)
  }
}

/** The names of the drafts that begin with `prefix`, e.g. those of all artworks. */
export function draftNames(prefix: string): readonly string[] {
  try {
    return [...new Set(slots().map(nameOf))].filter((name) => name.startsWith(prefix)).toSorted()
  } catch (error) {
    console.warn('The drafts could not be read', error)
    return []
  }
}

/**
 * Says to the other tabs of this browser that the draft is being typed here, until the returned function is called.
 * Without Web Locks (an insecure origin) nobody hears of it.
 * @param onTaken another tab types it
 */
export function holdDraft(name: string, onTaken: () => void): () => void {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const hold = (lock: Lock | null) => {
    if (lock !== null) return ended
    onTaken()
    return navigator.locks.request(storedAs(name), () => ended)
  }
  if ('locks' in navigator)
    navigator.locks.request(storedAs(name), { ifAvailable: true }, hold).catch(console.warn)
  return end
}

/**
 * Looks whether another tab types this draft: then nothing is to be offered until that one has let go of it.
 * @param withdraw one does
 * @param offer it has let go
 * @returns ends the waiting
 */
export function offerLater(name: string, withdraw: () => void, offer: () => void): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  const wait = async (): Promise<void> => {
    // Not by asking for the lock: whoever begins to type here meanwhile would take it for another tab's.
    const { held = [] } = await navigator.locks.query()
    const isFree = held.every((lock) => lock.name !== storedAs(name))
    if (isFree || signal.aborted) return
    withdraw()
    await navigator.locks.request(storedAs(name), { signal }, offer)
  }
  if ('locks' in navigator && draftOf(name) !== null)
    wait().catch((error: unknown) => {
      if (!signal.aborted) console.warn('Whether the draft is in use could not be told', error)
    })
  return () => waiting.abort()
}

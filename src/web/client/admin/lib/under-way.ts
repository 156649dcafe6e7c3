import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type Answered,
  type AnswerOf,
  ApiError,
  ask,
  type Command,
  requestOf,
  type SentTo,
} from '../../lib/api.ts'
import { onChanges } from '../../lib/changes.ts'
import { fetchAnew } from '../../lib/fetch-anew.ts'
import { PAGE } from '../../lib/page-queries.ts'
import { commandIds, isAdded } from './command-ids.ts'
import { listenFor, whenShown } from './when-shown.ts'
import { type Changed, staleBy, staleBySave } from './stale.ts'

/**
 * Lists with a change on its way to the server. They are not fetched meanwhile, or an older answer would take a
 * newer tap off the screen; what is owed to them is fetched when the last change is over.
 */
const saves = new Map<string, number>()
const owed = new Set<string>()

const nameOf = (key: QueryKey): string => key.join('/')

/** Whether anything is on its way to the server, or waits for its turn: the screen may show it as done already. */
export const isAnythingUnderWay = (): boolean => [...saves.values()].some((count) => count > 0)

/** ms for which a log-out waits for what is on its way, and from one look to the next */
const [SENT_WITHIN_MS, LOOK_MS] = [10_000, 50]

/** Resolves once nothing is on its way any more, or after ten seconds: what waits for its turn would be refused behind a log-out. */
export async function untilSent(): Promise<void> {
  // By the clock: in a hidden tab a look may come a minute after the one before.
  const end = performance.now() + SENT_WITHIN_MS
  while (isAnythingUnderWay() && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

/** A change to that list begins. */
export function enter(key: QueryKey): void {
  saves.set(nameOf(key), (saves.get(nameOf(key)) ?? 0) + 1)
}

/** Whether a fetch of that list has to wait; then it is owed. */
export function postpone(key: QueryKey): boolean {
  if ((saves.get(nameOf(key)) ?? 0) === 0) return false
  owed.add(nameOf(key))
  return true
}

/**
 * A change to that list is over.
 * @param isOwed it was made, or shown before it failed; any other failed one owes the list nothing by itself
 * @returns whether the list is to be fetched now
 */
export function leave(key: QueryKey, isOwed: boolean): boolean {
  const name = nameOf(key)
  const others = (saves.get(name) ?? 0) - 1
  saves.set(name, others)
  if (isOwed) owed.add(name)
  return others === 0 && owed.delete(name)
}

/** Lists of the page below are fetched anew when the dashboard closes (`shell/gate.tsx`): until then nobody sees them. */
function outdatePage(client: QueryClient, changed: readonly Changed[]): void {
  for (const model of changed) void client.invalidateQueries({ queryKey: [PAGE, model], refetchType: 'none' })
}

/** ms in which the change stream tells of a change that was answered: the two come at about the same time, in either order */
const SAME_MOMENT_MS = 100

/**
 * Sends a change whose lists were entered, and has them fetched when it is made: once for its answer and for what the
 * change stream says of it.
 * @param isOwed as `leave` has it
 * @param isLong the lists were not entered
 * @returns what `send` does, when the lists are there
 */
export async function carryOut<Answer>(
  client: QueryClient,
  changed: readonly Changed[],
  send: () => Promise<Answer>,
  isOwed: boolean,
  isLong = false,
): Promise<Answer> {
  const lists = staleBySave(changed)
  const left = (isDone: boolean): Promise<void> =>
    fetchAnew(
      client,
      lists.filter((key) => (isLong ? isDone && !postpone(key) : leave(key, isDone))),
    )
  const hearing = listenFor('', changed)
  try {
    const answer = await send()
    outdatePage(client, changed)
    await hearing.next(SAME_MOMENT_MS)
    await left(true)
    return answer
  } catch (error) {
    void left(isOwed)
    throw error
  } finally {
    hearing.stop()
  }
}

/** What she deletes and somebody else has deleted meanwhile is deleted, by the server's own word. */
function unlessGone<Answer>(error: unknown): Answered<Answer> {
  if (!(error instanceof ApiError) || error.status !== 404 || error.serverMessage === null) throw error
  // A deletion answers nothing.
  return { status: 204, answer: null as Answer, activity: null }
}

/** Where no answer came, it is asked once more under its key, and told what was done. */
const orOnceMore = <Answer>(asked: () => Promise<Answer>): Promise<Answer> =>
  asked().catch((error: unknown) => {
    if (error instanceof ApiError) throw error
    return asked()
  })

/**
 * The same of a call, under an id by which a repeat after a lost answer acts once.
 * @param acceptsLater a 202 is an answer; else the change is waited for
 * @param isLong as `carryOut` has it
 * @param isRepeated without an answer it is sent once more by itself: it does no harm late
 */
export function sendCommand<A extends Command>(
  client: QueryClient,
  address: A,
  sent: SentTo<A>,
  changed: readonly Changed[],
  {
    isOwed,
    acceptsLater = false,
    isLong = false,
    isRepeated = false,
  }: { isOwed: boolean; acceptsLater?: boolean; isLong?: boolean; isRepeated?: boolean },
): Promise<Answered<AnswerOf<A>>> {
  const request = { ...requestOf(address, sent), body: sent.body, changed }
  const idempotencyKey = commandIds.of(request)
  const call = async () => {
    const answered = await ask(address, { ...sent, idempotencyKey })
    if (answered.status === 202) commandIds.done(idempotencyKey)
    return answered
  }
  const asked = () => {
    const answered = isRepeated ? orOnceMore(call) : call()
    return request.method === 'DELETE' ? answered.catch(unlessGone<AnswerOf<A>>) : answered
  }
  const send = () => (acceptsLater ? asked() : whenShown(asked, changed))
  const settled = (made: Promise<Answered<AnswerOf<A>>>) => commandIds.settle(idempotencyKey, made)
  // The draft of what is added stays until the lists are there: a page that dies before must know it as long.
  if (isAdded(request)) return settled(carryOut(client, changed, send, isOwed, isLong))
  return carryOut(client, changed, () => settled(send()), isOwed, isLong)
}

/**
 * Refetches the lists that a change makes stale. One with a save under way is fetched when that is done: an earlier
 * answer would take its change off the screen.
 */
export function fetchChanged(client: QueryClient, changed: readonly Changed[]): void {
  // What is on its way to the page below may be of before, and would count as newest.
  for (const model of changed) void client.cancelQueries({ queryKey: [PAGE, model] })
  outdatePage(client, changed)
  void fetchAnew(
    client,
    staleBy(changed).filter((key) => !postpone(key)),
  )
}

/** Refetches what the server says has changed, while the dashboard is open. */
export function useChanges(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges((changed) => {
        commandIds.hear(changed)
        fetchChanged(client, changed)
      }, 'dashboard'),
    [client],
  )
}

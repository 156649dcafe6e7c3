import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { undoActivity } from '#web/contract/addresses.ts'
import { type Answered, type AnswerOf, requestOf, type SentTo } from '../../lib/api.ts'
import type { ToastText } from '../../lib/constants.ts'
import { fetchAnew } from '../../lib/fetch-anew.ts'
import { showToast, type ToastAction } from '../../ui/toast-store.ts'
import { type Failure, failureOf } from './failure.ts'
import { type UnauthorizedManner, sessionEnded } from './session-end.ts'
import { type ChangingCall, changedBy, staleBySave } from './stale.ts'
import { enter, postpone, sendCommand } from './under-way.ts'
import { takeBackAction, type WayBack } from './undo.ts'
import { useLatest } from './use-latest.ts'

/** Shows a change in cached lists before the server has confirmed it; gives the function that takes it back. */
export type Optimistic = (client: QueryClient) => () => void

type SaveOptions<Input, Answer> = {
  /** The change shown at once; taken back by itself when the call fails. */
  optimistic?: (input: Input) => Optimistic
  /** A 202 is an answer, after which the list tells how it goes on; else `whenShown` waits for the change. */
  acceptsLater?: boolean
  /** It may take minutes: the lists are fetched as ever meanwhile. Not for what shows a change before it is made. */
  isLong?: boolean
  /**
   * Each call waits for the earlier ones about the same thing, or of the whole list, while its change shows at once: for
   * quick taps, of which the last must win. One that gets no answer keeps no other thing waiting. One of a whole list, a
   * move, is then sent once more.
   */
  inTurn?: 'of thing' | 'of list'
  /** The toast of a success; a function may name what was done, null shows none. */
  success: ToastText | null | ((input: Input, answer: Answer) => ToastText | null)
  /** What takes a success back that the activity cannot: what was added is deleted again. */
  takenBackBy?: (input: Input, answer: Answer) => WayBack | null
  /** The catalogue's toast of a failure, a function where inputs or reasons differ; shown for every failure but 401. */
  failure: ToastText | ((input: Input, why: Failure) => ToastText)
  /** What a 401 does: by default the catalogue's toast and the way to the login after 500 ms. */
  unauthorized?: UnauthorizedManner
}

/** `undo` is for the toast of whoever tells by itself; null where the act cannot be taken back. */
export type Saved<Answer> =
  | { ok: true; answer: Answer; undo: ToastAction | null }
  | { ok: false; failure: Failure }

/** How the save of a form stands. */
export type Saving = {
  pending: boolean
  /** why the last one failed; null while none has */
  failure: Failure | null
}

export type Save<Input, Answer> = Saving & {
  /** Makes the call with what it is to be sent, tells by toast, and resolves with what came of it. Never rejects. */
  save: (input: Input) => Promise<Saved<Answer>>
  /** what the running or last call was given */
  input: Input | undefined
  /** forgets the failure, e.g. when a dialog opens again */
  reset: () => void
}

/**
 * A change to the site, by the call of this address. Sent with a command id of this browser, so that a repeat after a
 * lost answer acts once: the same request keeps its id until an answer has come. After success the lists that it makes
 * stale (`stale.ts`) are refetched, and are there before `save` resolves and the toast shows; a failure shows its
 * catalogue toast and takes the optimistic change back; after a 409 the lists are refetched too, so that `useEdits` can
 * show both values. The toast of a success that can be taken back has a button that does it.
 *
 * Use `pending` for "Saving...", `useFieldErrors` for messages at fields and `failure.kind === 'conflict'`
 * for the entity as it is now.
 */
export function useSave<A extends ChangingCall, Input extends SentTo<A> = SentTo<A>>(
  address: A,
  options: SaveOptions<Input, AnswerOf<A>>,
): Save<Input, AnswerOf<A>> {
  type Answer = AnswerOf<A>
  const client = useQueryClient()
  const latest = useLatest(options)

  const { mutateAsync, reset, isPending, variables, error } = useMutation<
    Answered<Answer>,
    unknown,
    { input: Input; turn: Turn | null },
    () => void
  >({
    onMutate: ({ input }) => begin(client, address, latest.current, input),
    mutationFn: async ({ input, turn }) => {
      await turn?.come
      const { optimistic, acceptsLater = false, isLong = false, inTurn } = latest.current
      // Taken back, a change may leave an earlier one on the screen that failed as well.
      const isOwed = optimistic !== undefined
      const isRepeated = inTurn === 'of list'
      const manner = { isOwed, acceptsLater, isLong, isRepeated }
      return sendCommand(client, address, input, changedBy(address), manner)
    },
    onError: async (error, _input, takeBack) => {
      takeBack?.()
      // Somebody else was faster: the lists show what is saved now, and the form both values. It is under way until then:
      // pressed again before, it would be refused again.
      if (failureOf(error).kind === 'conflict' && !latest.current.optimistic)
        await fetchAnew(client, staleBySave(changedBy(address)))
    },
  })

  const make = useCallback(
    async (input: Input): Promise<Saved<Answer>> => {
      const { success, failure, unauthorized, inTurn } = latest.current
      const turn = inTurn ? takeTurn(inTurn === 'of list' ? address : requestOf(address, input).path) : null
      try {
        const { answer, activity } = await mutateAsync({ input, turn })
        const text = typeof success === 'function' ? success(input, answer) : success
        const added = latest.current.takenBackBy?.(input, answer) ?? null
        const back: WayBack | null = activity === null ? added : { by: undoActivity, id: activity }
        const undo = back && takeBackAction(client, back, changedBy(address))
        if (text) showToast(text, undo)
        return { ok: true, answer, undo }
      } catch (error) {
        const why = failureOf(error)
        if (why.kind === 'unauthorized') sessionEnded(unauthorized)
        else showToast(typeof failure === 'function' ? failure(input, why) : failure)
        return { ok: false, failure: why }
      } finally {
        turn?.end()
      }
    },
    [mutateAsync, latest, client, address],
  )
  const save = useCallback(
    (input: Input) => onceInARow(`${address} ${JSON.stringify(input)}`, () => make(input)),
    [address, make],
  )

  const why = useMemo(() => (error === null ? null : failureOf(error)), [error])
  return {
    save,
    pending: isPending,
    input: variables?.input,
    failure: why,
    reset,
  }
}

type Turn = {
  /** resolves when what was pressed before is over; undefined where nothing was */
  come: Promise<void> | undefined
  end: () => void
}

/** The last turn of each thing, while there is one. */
const turns = new Map<string, Promise<void>>()

/** Taken at the press: what shows the change first may take one press longer than the next. */
function takeTurn(thing: string): Turn {
  const come = turns.get(thing)
  let over = (): void => undefined
  const own = new Promise<void>((resolve) => (over = resolve))
  turns.set(thing, own)
  const end = (): void => {
    if (turns.get(thing) === own) turns.delete(thing)
    over()
  }
  return { come, end }
}

/** What was asked for last, while it is under way. */
let last: { command: string; saved: Promise<unknown> } | null = null

/** Two presses on a button before anything is drawn ask for the same twice in a row: that is one command. */
function onceInARow<Result>(command: string, make: () => Promise<Result>): Promise<Result> {
  // The same command has the same answer.
  if (last?.command === command) return last.saved as Promise<Result>
  const asked = { command, saved: make() }
  last = asked
  return asked.saved.finally(() => {
    if (last === asked) last = null
  })
}

/** Shows the change at once; gives the way to take it back. */
async function begin<Input, Answer>(
  client: QueryClient,
  address: ChangingCall,
  { optimistic, isLong }: SaveOptions<Input, Answer>,
  input: Input,
): Promise<() => void> {
  if (isLong) return () => undefined
  const lists = staleBySave(changedBy(address))
  for (const key of lists) {
    enter(key)
    // Broken off below, it has to be made up for.
    if (optimistic && client.isFetching({ queryKey: key }) > 0) postpone(key)
  }
  if (!optimistic) return () => undefined
  await Promise.all(lists.map((queryKey) => client.cancelQueries({ queryKey })))
  return optimistic(input)(client)
}

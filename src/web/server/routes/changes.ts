import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { CallName } from '#web/contract/calls.ts'
import { limits } from '#web/contract/limits.ts'
import type { ChangeStreams, Known, Listening } from '../change-streams.ts'
import type { Routes } from '../route.ts'
import type { SessionKeeper } from '../session.ts'

type Names = Extract<CallName, 'listenForChanges'>

export const changeRoutes = (streams: ChangeStreams, keeper: SessionKeeper): Routes<Names> => ({
  listenForChanges: {
    answer: async ({ ctx, account }) => {
      ctx.set('cache-control', 'private, no-store')
      if (streams.isFull()) {
        ctx.status = 204
        return
      }
      ctx.status = 200
      ctx.type = 'text/event-stream; charset=utf-8'
      // Proxies that gather answers before they pass them on would hold back every event.
      ctx.set('x-accel-buffering', 'no')
      if (ctx.method === 'HEAD') return
      const to = new PassThrough()
      ctx.body = to
      const owner: Listening = account === null ? null : { isAlive: keeper.aliveCheck(ctx) }
      // A page that opens a stream anew, after it was hidden, can send no header of its own.
      await streams.open(to, owner, knownTo(ctx))
    },
  },
})

/** What whoever asks knows already; the browser's own header, on coming back, knows most. */
function knownTo(ctx: Context): Known | null {
  const { after, page } = ctx.query
  const last = ctx.get('last-event-id') || after
  if (typeof last === 'string') return { upTo: last.slice(0, limits.opaque) }
  return typeof page === 'string' ? { page } : null
}

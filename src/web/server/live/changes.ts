import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import { limits } from '#web/contract/limits.ts'
import type { ChangeStreams, Known, Listening } from './change-streams.ts'
import { nothingBehind } from '../door/one-at-a-time.ts'
import { clientAddress, countedAddress } from '../door/client-address.ts'
import type { WebSettings } from '../door/ports.ts'
import { queryIn } from '../call/query.ts'
import type { ModuleRoutes } from '../call/route.ts'
import type { SessionKeeper } from '../call/session.ts'

export const changeRoutes = (
  { settings }: { readonly settings: Pick<WebSettings, 'trustProxy'> },
  streams: ChangeStreams,
  keeper: SessionKeeper,
): ModuleRoutes<'changes'> => ({
  listenForChanges: {
    answer: async ({ ctx, account }) => {
      ctx.set('cache-control', 'private, no-store')
      const whom: Listening = {
        address: countedAddress(clientAddress(ctx.req, settings.trustProxy)),
        owner: account === null ? null : { account: keeper.accountLater(ctx) },
      }
      if (streams.isFull(whom)) {
        ctx.status = 204
        return
      }
      ctx.status = 200
      ctx.type = 'text/event-stream; charset=utf-8'
      // Proxies that gather answers before they pass them on would hold back every event.
      ctx.set('x-accel-buffering', 'no')
      if (ctx.method === 'HEAD') return
      nothingBehind(ctx.res)
      const to = new PassThrough()
      ctx.body = to
      // A page that opens a stream anew, after it was hidden, can send no header of its own.
      await streams.open(to, whom, knownTo(ctx))
    },
  },
})

/** What whoever asks knows already; the browser's own header, on coming back, knows most. */
const knownTo = (ctx: Context): Known | null => {
  const { after, page } = queryIn(ctx)
  const last = ctx.get('last-event-id')
  if (last !== '') return { upTo: last.slice(0, limits.opaque) }
  if (typeof after === 'string') return { upTo: after.slice(0, limits.opaque), asks: true }
  return typeof page === 'string' ? { page } : null
}

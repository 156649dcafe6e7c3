import type { Context } from 'koa'
import { changePassword } from '#application/accounts/accounts.ts'
import { sessionHolds } from '#application/kernel/session-holds.ts'
import { signIn } from '#application/accounts/sign-in.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { User } from '#web/contract/accounts.ts'
import type { Answer } from '#web/contract/calls.ts'
import type { ChangeStreams } from '../live/change-streams.ts'
import { clientAddress, countedAddress } from '../door/client-address.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, SignedOut } from '../door/errors.ts'
import { sendSmallJson } from '../door/json.ts'
import { knowBrowsers } from './known-browsers.ts'
import { safeReturnTo } from './return-to.ts'
import type { ModuleRoutes } from '../call/route.ts'
import type { SessionKeeper } from '../call/session.ts'

/** What is told of an account; never its password's hash. */
const userOf = (account: Account): User => ({
  id: account.id,
  username: account.username,
  email: account.email,
  firstName: account.firstName,
  lastName: account.lastName,
  profileImageUrl: account.profileImageUrl,
  createdAt: account.createdAt,
  updatedAt: account.updatedAt,
})

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const accountRoutes = (
  deps: Pick<WebDeps, 'app' | 'passwords' | 'rateLimits' | 'settings' | 'log'>,
  keeper: SessionKeeper,
  streams: Pick<ChangeStreams, 'lookAtAccounts'>,
): ModuleRoutes<'accounts'> => {
  /** Streams end with their sessions; a session ends behind the handler, before the answer is out. */
  const endStreams = (ctx: Context): void => {
    ctx.res.once('finish', () => void streams.lookAtAccounts())
  }
  const { passwords, rateLimits, settings, log } = deps
  const { accounts, sessions, clock } = deps.app
  const browsers = knowBrowsers({ clock }, settings)
  return {
    getUser: { read: async ({ account }) => userOf(account) },
    login: {
      answer: async ({ ctx, body, requestId }) => {
        const address = countedAddress(clientAddress(ctx.req, settings.trustProxy))
        const attempt = { ...body, address, browser: browsers.of(ctx) }
        const account = await signIn({ accounts, passwords, rateLimits, wait }, attempt)
        if (account === null) {
          log.warn({ requestId, address }, 'A login failed')
          throw new SignedOut()
        }
        await keeper.signIn(ctx, account)
        browsers.remember(ctx, account.id)
        log.info({ requestId, address, accountId: account.id }, 'Signed in')
        sendSmallJson(ctx, 200, { user: userOf(account) } satisfies Answer<'login'>)
      },
    },
    loginRedirect: {
      answer: async ({ ctx, query }) => {
        ctx.set('cache-control', 'private, no-store')
        ctx.status = 303
        ctx.set('location', safeReturnTo(query.returnTo))
      },
    },
    logout: {
      answer: async ({ ctx }) => {
        if (keeper.hasCookie(ctx)) keeper.signOut(ctx)
        endStreams(ctx)
        ctx.status = 204
      },
    },
    changePassword: {
      answer: async ({ ctx, account, body, requestId }) => {
        const ports = { accounts, sessions, passwords, rateLimits, clock }
        await changePassword(ports, account, body, keeper.key(ctx))
        log.info({ requestId, accountId: account.id }, 'The password was changed')
        endStreams(ctx)
        ctx.status = 204
      },
    },
    changeFirstSteps: {
      answer: async ({ ctx, account, body }) => {
        await accounts.setFirstStepsAway(account.id, body.away)
        void streams.lookAtAccounts()
        ctx.status = 204
      },
    },
    listSessions: {
      read: async ({ ctx, account }) => {
        const current = keeper.key(ctx)
        const all = await sessions.listByAccount(account.id, clock.now().toISOString())
        const standing = all.filter((session) => sessionHolds(session, account, clock.now()))
        return standing.map(({ key, id, device, address, createdAt, lastSeenAt }) => ({
          id,
          device,
          address,
          createdAt,
          lastSeenAt,
          current: key === current,
        }))
      },
    },
    endOtherSessions: {
      answer: async ({ ctx, account, requestId }) => {
        await sessions.removeOthers(account.id, keeper.key(ctx))
        log.info({ requestId, accountId: account.id }, 'All other sessions were ended')
        endStreams(ctx)
        ctx.status = 204
      },
    },
    endSession: {
      answer: async ({ ctx, account, params }) => {
        const own = (await sessions.listByAccount(account.id, clock.now().toISOString())).find(
          ({ id }) => id === params.id,
        )
        if (!(await sessions.removeById(account.id, params.id))) {
          throw new CallRefused(404, 'This session has ended already')
        }
        if (own?.key === keeper.key(ctx)) keeper.signOut(ctx)
        endStreams(ctx)
        ctx.status = 204
      },
    },
  }
}

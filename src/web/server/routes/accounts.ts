import type { Context } from 'koa'
import { changePassword } from '#application/accounts/accounts.ts'
import { signIn } from '#application/accounts/sign-in.ts'
import { refusedBy } from '#application/refused.ts'
import type { Account } from '#application/ports/accounts.ts'
import type { User } from '#web/contract/accounts.ts'
import type { CallName } from '#web/contract/calls.ts'
import { limits } from '#web/contract/limits.ts'
import type { ChangeStreams } from '../change-streams.ts'
import { clientAddress, countedAddress } from '../client-address.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, SignedOut } from '../errors.ts'
import { sendSmallJson } from '../json.ts'
import { safeReturnTo } from '../return-to.ts'
import type { Routes } from '../route.ts'
import type { SessionKeeper } from '../session.ts'

type Names = Extract<
  CallName,
  'getUser' | 'login' | 'loginRedirect' | 'logout' | 'changePassword' | 'listSessions' | 'endSession'
>

/** What is told of an account (decisions 103); never its password's hash. */
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

/** Wrong current passwords that one account may send before it has to wait. */
const passwordGuesses = {
  name: 'password-change',
  points: limits.loginFailures,
  windowMs: limits.loginWindowMs,
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const accountRoutes = (
  deps: Pick<WebDeps, 'app' | 'passwords' | 'rateLimits' | 'settings' | 'log'>,
  keeper: SessionKeeper,
  streams: Pick<ChangeStreams, 'endDead'>,
): Routes<Names> => {
  /** Streams end with their sessions; a session ends behind the handler, before the answer is out. */
  const endStreams = (ctx: Context): void => {
    ctx.res.once('finish', () => void streams.endDead())
  }
  const { passwords, rateLimits, settings, log } = deps
  const { accounts, sessions, clock } = deps.app
  return {
    getUser: { read: async ({ account }) => userOf(account) },
    login: {
      answer: async ({ ctx, body, requestId }) => {
        const address = countedAddress(clientAddress(ctx.req, settings.trustProxy))
        const account = await signIn({ accounts, passwords, rateLimits, wait }, { ...body, address })
        if (account === null) {
          log.warn({ requestId, address }, 'A login failed')
          throw new SignedOut()
        }
        await keeper.signIn(ctx, account)
        log.info({ requestId, address, accountId: account.id }, 'Signed in')
        sendSmallJson(ctx, 200, { user: userOf(account) })
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
        const left = await rateLimits.check(passwordGuesses, account.id)
        if (!left.allowed) {
          throw new CallRefused(429, 'Too many wrong passwords. Please try again later', left)
        }
        try {
          await changePassword({ accounts, sessions, passwords, clock }, account, body, keeper.key(ctx))
        } catch (error) {
          if (refusedBy(error)?.fields?.['currentPassword'] !== undefined) {
            await rateLimits.hit(passwordGuesses, account.id)
          }
          throw error
        }
        log.info({ requestId, accountId: account.id }, 'The password was changed')
        endStreams(ctx)
        ctx.status = 204
      },
    },
    listSessions: {
      read: async ({ ctx, account }) => {
        const current = keeper.key(ctx)
        const all = await sessions.listByAccount(account.id, clock.now().toISOString())
        return all.map(({ key, id, device, address, createdAt, lastSeenAt }) => ({
          id,
          device,
          address,
          createdAt,
          lastSeenAt,
          current: key === current,
        }))
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

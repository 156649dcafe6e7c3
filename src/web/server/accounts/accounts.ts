import type { Context } from 'koa'
import { changePassword } from '#application/accounts/accounts.ts'
import { isFuture, openSessions } from '#application/kernel/session-holds.ts'
import { signIn, type KnownBrowser } from '#application/accounts/sign-in.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { User } from '#web/contract/accounts.ts'
import type { Answer } from '#web/contract/calls.ts'
import type { ChangeStreams } from '../live/change-streams.ts'
import { clientAddress, countedAddress } from '../door/client-address.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused, SignedOut } from '../door/errors.ts'
import { sendSmallJson } from '../door/json.ts'
import type { ModuleRoutes } from '../call/route.ts'
import type { SessionKeeper } from '../call/session.ts'
import { randomBytes } from 'node:crypto'
import { pause } from '#application/kernel/retry.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { sessionCookieOf } from '../door/headers.ts'
import type { WebSettings } from '../door/ports.ts'

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
        const account = await signIn({ accounts, passwords, rateLimits, pause }, attempt)
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
        const open = await openSessions(sessions, account, clock.now())
        return open.map(({ key, id, device, address, createdAt, lastSeenAt }) => ({
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

const yearMs = 365 * 24 * 60 * 60 * 1_000

/** Browsers in which somebody has signed in before, by a cookie that outlives sessions. */
interface KnownBrowsers {
  /** What the browser's cookie says; null without one, or with one that is too old or not ours. */
  readonly of: (ctx: Context) => KnownBrowser | null
  /** Gives the browser its cookie for another year; one that has one keeps its id. */
  readonly remember: (ctx: Context, accountId: string) => void
}

const pattern = /^([0-9a-f-]{36})\.([\w-]{22})\.(\d{13})$/

/**
 * The cookie opens nothing: it only tells a browser of the owner's from those of strangers, so that a flood of their
 * guesses does not keep her out. It is signed with the keys of the app, and nothing of it is stored.
 */
const knowBrowsers = (
  { clock }: { readonly clock: Clock },
  settings: Pick<WebSettings, 'publicUrl'>,
): KnownBrowsers => {
  const name = `${sessionCookieOf(settings.publicUrl)}-device`
  const secure = settings.publicUrl.startsWith('https:')

  const of = (ctx: Context): KnownBrowser | null => {
    const [, accountId, id, since] = pattern.exec(ctx.cookies.get(name, { signed: true }) ?? '') ?? []
    if (accountId === undefined || id === undefined) return null
    const [now, begun] = [clock.now(), new Date(Number(since))]
    if (isFuture(begun.toISOString(), now) || now.getTime() - begun.getTime() > yearMs) return null
    return { accountId, id }
  }

  return {
    of,
    remember: (ctx, accountId) => {
      const known = of(ctx)
      const id = known?.accountId === accountId ? known.id : randomBytes(16).toString('base64url')
      ctx.cookies.set(name, `${accountId}.${id}.${clock.now().getTime()}`, {
        signed: true,
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: yearMs,
      })
    },
  }
}

/** Where signing in leads when nothing else is asked for. */
const dashboard = '/admin'

/**
 * The address to go on to after signing in: a path of this site, else the dashboard.
 * @param wanted as it came in the query; anything at all
 */
export const safeReturnTo = (wanted: unknown): string => {
  // Browsers read a backslash as a slash, and drop tabs and line breaks before they read.
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return dashboard
  const here = 'http://here.invalid'
  if (!URL.canParse(wanted, here)) return dashboard
  const url = new URL(wanted, here)
  return url.origin === here && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : dashboard
}

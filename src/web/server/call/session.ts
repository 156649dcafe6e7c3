import type { Logger } from '#application/kernel/ports/logger.ts'
import { createHmac, hash, randomBytes } from 'node:crypto'
import Keygrip from 'keygrip'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { createSession } from 'koa-session'
import { credentialVersion, isFuture, sessionHolds } from '#application/kernel/session-holds.ts'
import type { Account, Accounts } from '#application/kernel/ports/accounts.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Session, Sessions } from '#application/kernel/ports/sessions.ts'
import { clientAddress } from '../door/client-address.ts'
import { sessionCookieOf } from '../door/headers.ts'
import type { WebSettings } from '../door/ports.ts'
import { deviceOf } from './device.ts'

const dayMs = 24 * 60 * 60 * 1_000
/** spec A-17 */
const slidingMs = 7 * dayMs
const absoluteMs = 30 * dayMs
/** The time of the last request is written at most this often. */
const seenEveryMs = 60_000

/** What koa-session keeps on the context. Names without an underscore are what the store is given. */
interface SessionState {
  id?: string
  accountId?: string
  createdAt?: string
  lastSeenAt?: string
  device?: string
  address?: string
  credentialVersion?: string
  /** for how long it stands without a request, in ms */
  maxAge?: number
  /** until when it stands, for koa-session, which renews it by that */
  _expire?: number | undefined
  readonly externalKey?: string
  /** a new id for the same state; the old one is forgotten */
  readonly regenerate?: () => Promise<void>
}

declare module 'koa' {
  interface ExtendableContext {
    session: SessionState | null
  }
}

/** Whether the answer may be kept by caches that others use. */
const mayBeKept = (ctx: Context): boolean => /\bpublic\b/.test(ctx.response.get('cache-control'))

/** Nobody who reads the store can sign in with what stands in it. */
const keyOf = (cookieValue: string): string => hash('sha256', cookieValue, 'hex')

/** So many cookies that were found good are remembered; one owner has a few browsers. */
const rememberedCookies = 100

/**
 * The keys that sign the cookie. Remembers signatures it has found good: checking one takes longer than all
 * else that is done with a session.
 */
const signer = (secret: string): Keygrip => {
  const key = createHmac('sha256', secret).update('atelier session cookie').digest('base64url')
  const keys = new Keygrip([key], 'sha256')
  const good = new Map<string, number>()
  const check = keys.index.bind(keys)
  keys.index = (data, digest) => {
    const name = `${data}\n${digest}`
    const known = good.get(name)
    if (known !== undefined) return known
    const index = check(data, digest)
    if (index < 0) return index
    if (good.size >= rememberedCookies) good.clear()
    good.set(name, index)
    return index
  }
  return keys
}

interface SessionPorts {
  readonly sessions: Sessions
  readonly accounts: Accounts
  readonly clock: Clock
  readonly log: Logger
}

/** Sessions of one app: who is signed in, signing in and out. */
export interface SessionKeeper {
  /** Reads and, where it changed, writes the session. Mount it above whatever asks for it. */
  readonly middleware: Middleware
  /** The account that is signed in, null for a visitor. */
  readonly account: (ctx: Context) => Promise<Account | null>
  /** The request carries a session's cookie, alive or not. */
  readonly hasCookie: (ctx: Context) => boolean
  /** Begins a session under a new id, whatever there was before (ASVS 7.2.4). */
  readonly signIn: (ctx: Context, account: Account) => Promise<void>
  /** Ends the session and takes its cookie away. */
  readonly signOut: (ctx: Context) => void
  /** The store's key of the session, null for a visitor. */
  readonly key: (ctx: Context) => string | null
  /** How to learn later what the session's account is by then; null once the session has ended. */
  readonly accountLater: (ctx: Context) => () => Promise<Account | null>
}

/** What is known of a request. */
interface Visit {
  /** the session that it came with */
  session?: Session
  /** asked for together with the session: on a server one after the other would be felt */
  accounts?: Promise<readonly Account[]>
  /** who is signed in, asked once */
  account?: Promise<Account | null>
}

const visits = new WeakMap<Context, Visit>()

const visitOf = (ctx: Context): Visit => {
  const visit = visits.get(ctx) ?? {}
  visits.set(ctx, visit)
  return visit
}

/** The store as koa-session uses it; what it finds is noted in the visit. */
const storeOf = ({ sessions, accounts, clock }: SessionPorts) => ({
  get: async (value: string, _maxAge: number, { ctx }: { ctx?: Context }) => {
    const now = clock.now()
    const visit = ctx ? visitOf(ctx) : null
    if (visit) {
      visit.accounts = accounts.all()
      // Told to whoever asks for the account.
      visit.accounts.catch(() => undefined)
    }
    const session = await sessions.find(keyOf(value), now.toISOString())
    if (session === null || isFuture(session.createdAt, now)) return undefined
    if (visit) visit.session = session
    const { id, accountId, createdAt, lastSeenAt, device, address } = session
    const left = Date.parse(createdAt) + absoluteMs - now.getTime()
    return {
      id,
      accountId,
      createdAt,
      lastSeenAt,
      device,
      address,
      // koa-session reads the machine's clock; what counts is how long is left by ours.
      _expire: Date.now() + Date.parse(session.expiresAt) - now.getTime(),
      // What is left of the 30 days bounds every renewal.
      _maxAge: Math.min(slidingMs, left),
    }
  },
  set: async (
    value: string,
    state: SessionState & { _expire?: number },
    _maxAge: number,
    { ctx }: { ctx?: Context },
  ) => {
    const key = keyOf(value)
    const { id, accountId, createdAt, lastSeenAt, device, address } = state
    if (!id || !accountId || !createdAt || !lastSeenAt) return
    const latest = Date.parse(createdAt) + absoluteMs
    const renewed = clock.now().getTime() + (state._expire ?? Date.now()) - Date.now()
    const expiresAt = new Date(Math.min(renewed, latest)).toISOString()
    // One that was ended meanwhile must not come back to life.
    if (ctx && visitOf(ctx).session?.key === key) await sessions.touch(key, lastSeenAt, expiresAt)
    else {
      await sessions.save({
        key,
        id,
        accountId,
        createdAt,
        lastSeenAt,
        expiresAt,
        device: device ?? '',
        address: address ?? '',
        credentialVersion: state.credentialVersion ?? null,
      })
    }
  },
  destroy: (value: string) => sessions.remove(keyOf(value)),
})

/** Notes when a session was last used. */
const noteSeen = async (
  { sessions, clock, log }: SessionPorts,
  { key, lastSeenAt, expiresAt }: Session,
): Promise<void> => {
  const now = clock.now()
  if (now.getTime() - Date.parse(lastSeenAt) < seenEveryMs) return
  try {
    await sessions.touch(key, now.toISOString(), expiresAt)
  } catch (error) {
    // A full disk must not keep the owner from reading.
    log.warn({ err: error }, 'The time of a session could not be noted')
  }
}

/** The account that a stored session stands for, null when it stands for none any more. */
const standing = async (
  { accounts, clock }: SessionPorts,
  session: Session,
  all: Promise<readonly Account[]> = accounts.all(),
): Promise<Account | null> => {
  const account = (await all).find(({ id }) => id === session.accountId) ?? null
  return sessionHolds(session, account, clock.now()) ? account : null
}

/**
 * Sessions by reference: the cookie holds a random value, the store its hash.
 * @param secret signs the cookie, so that made-up values never reach the store
 */
export const keepSessions = (
  koa: Koa,
  ports: SessionPorts,
  settings: Pick<WebSettings, 'publicUrl' | 'trustProxy'>,
  secret: string,
): SessionKeeper => {
  const { sessions, clock } = ports
  const https = settings.publicUrl.startsWith('https:')
  const cookie = sessionCookieOf(settings.publicUrl)
  koa.keys = signer(secret)

  const keep = createSession(
    {
      key: cookie,
      maxAge: slidingMs,
      renew: true,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      secure: https,
      genid: () => randomBytes(32).toString('base64url'),
      store: storeOf(ports),
    },
    koa,
  )

  const middleware: Middleware = (ctx, next) => {
    // Behind a proxy the connection itself is not secure; the site's own address tells.
    ctx.cookies.secure = https
    return keep(ctx, async () => {
      const { session } = visitOf(ctx)
      if (session !== undefined) await noteSeen(ports, session)
      await next()
      // What others may keep carries nobody's cookie: the next answer that is for its owner alone renews it.
      if (mayBeKept(ctx) && ctx.session !== null) ctx.session._expire = undefined
    })
  }

  return {
    middleware,
    hasCookie: (ctx) => ctx.cookies.get(cookie, { signed: false }) !== undefined,
    account: (ctx) => {
      const visit = visitOf(ctx)
      const session = ctx.session?.accountId === undefined ? undefined : visit.session
      visit.account ??= session ? standing(ports, session, visit.accounts) : Promise.resolve(null)
      return visit.account
    },
    signIn: async (ctx, account) => {
      const { session } = ctx
      if (!session?.regenerate) throw new Error('Signing in needs the session middleware above it')
      const now = clock.now().toISOString()
      Object.assign(session, {
        id: clock.newId(),
        accountId: account.id,
        createdAt: now,
        lastSeenAt: now,
        device: deviceOf(ctx.get('user-agent')),
        address: clientAddress(ctx.req, settings.trustProxy),
        credentialVersion: credentialVersion(account),
        // Not what was left of the session that stood before.
        maxAge: slidingMs,
      })
      delete visitOf(ctx).account
      await session.regenerate()
    },
    signOut: (ctx) => {
      delete visitOf(ctx).account
      ctx.session = null
    },
    key: (ctx) => visitOf(ctx).session?.key ?? null,
    accountLater: (ctx) => {
      const key = visitOf(ctx).session?.key
      return async () => {
        const session = key === undefined ? null : await sessions.find(key, clock.now().toISOString())
        return session === null ? null : standing(ports, session)
      }
    },
  }
}

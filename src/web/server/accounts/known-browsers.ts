import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { isFuture } from '#application/kernel/session-holds.ts'
import type { KnownBrowser } from '#application/accounts/sign-in.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { sessionCookieOf, type WebSettings } from '../door/deps.ts'

const yearMs = 365 * 24 * 60 * 60 * 1_000

/** Browsers in which somebody has signed in before, by a cookie that outlives sessions. */
export interface KnownBrowsers {
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
export const knowBrowsers = (
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

import type { Context } from 'koa'
import { eraseMessage, markMessageRead } from '#application/messages/messages.ts'
import { findMessage, listMessages } from '#projections/messages/queries.ts'
import type { ErrorBody } from '#web/contract/errors.ts'
import { limits } from '#web/contract/limits.ts'
import { messageThanks } from '#web/contract/pages.ts'
import { clientAddress, countedAddress } from '../door/client-address.ts'
import type { WebDeps } from '../deps.ts'
import { sessionCookieOf } from '../door/headers.ts'
import { messageTaker, isTrapped } from './take-message.ts'
import { CallRefused } from '../door/errors.ts'
import { readerOf } from '../door/lane.ts'
import { putReady } from '../call/ready-bytes.ts'
import type { ModuleRoutes } from '../call/route.ts'

const refusedForms = {
  name: 'refused-form',
  points: limits.refusedForms,
  windowMs: limits.contactWindowMs,
} as const

const typedFields = ['name', 'email', 'subject', 'message', 'artworkId'] as const

/** What the visitor had typed, as the page shows it again. */
const typedIn = (sent: unknown): Record<string, string> => {
  const values: Record<string, string> = {}
  if (typeof sent !== 'object' || sent === null) return values
  for (const name of typedFields) {
    const value: unknown = Reflect.get(sent, name)
    if (typeof value === 'string') values[name] = value
  }
  return values
}

/**
 * The key of a form that came without one, as without a script: a browser sends it again by itself where its connection
 * broke, so the same words within the same hour of the clock are one message.
 */
const keyOfHour = (now: Date): string => `form of ${now.toISOString().slice(0, 'yyyy-mm-ddThh'.length)}`

export const messageRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'rateLimits' | 'secret' | 'settings' | 'pages' | 'log'>,
): ModuleRoutes<'messages'> => {
  const { app, documents, settings, pages, rateLimits } = deps
  const reading = { documents, keyVault: app.keyVault, mail: settings.mail }
  const take = messageTaker(deps)
  const addressOf = (ctx: Context): string => clientAddress(ctx.req, settings.trustProxy)

  /** The page once more, with what was typed and what is wrong with it. */
  const sendRefusedForm = async (ctx: Context, sent: unknown, problem: ErrorBody, status: 422 | 429) => {
    // Each is a page of its own, which costs more than all else that a stranger can ask for.
    const address = countedAddress(addressOf(ctx))
    const left = await rateLimits.hit(refusedForms, address)
    if (!left.allowed) {
      throw new CallRefused(429, 'Those were many tries at once. Please try again in a few minutes', {
        retryAfterMs: left.retryAfterMs,
      })
    }
    const { message, fields = {} } = problem
    const { headers } = ctx.req
    const asked = {
      session: ctx.cookies.get(sessionCookieOf(settings.publicUrl), { signed: false }) !== undefined,
      acceptEncoding: headers['accept-encoding'],
      reader: readerOf(ctx.req, settings.trustProxy),
    }
    const refused = { status: 'refused', message, fields, values: typedIn(sent) } as const
    const answer = await pages.contactRefused(refused, asked).catch(async (error: unknown) => {
      // Only as many addresses are remembered as pages were made.
      await rateLimits.giveBack(refusedForms.name, address)
      throw error
    })
    ctx.remove('content-security-policy')
    putReady(ctx, answer)
    ctx.status = status
  }

  return {
    sendEnquiry: {
      drops: ({ body, command }) => isTrapped(body, command.now),
      act: ({ ctx, body, command }) => take(body, addressOf(ctx), command),
      reply: async () => ({ message: messageThanks }),
    },
    sendEnquiryForm: {
      answer: async ({ ctx, body, command }) => {
        try {
          await take({ ...body, key: body.key ?? keyOfHour(command.now) }, addressOf(ctx), command)
        } catch (error) {
          if (!(error instanceof CallRefused) || error.status !== 429) throw error
          if (error.retryAfterMs !== undefined) {
            ctx.set('retry-after', String(Math.ceil(error.retryAfterMs / 1_000)))
          }
          await sendRefusedForm(ctx, body, { message: error.message }, 429)
          return
        }
        ctx.set('cache-control', 'private, no-store')
        ctx.set('location', '/?contact=sent#contact')
        ctx.status = 303
      },
      invalid: (ctx, sent, problem) => sendRefusedForm(ctx, sent, problem, 422),
    },
    listContactMessages: {
      read: ({ query }) => listMessages(reading, { ...query, limit: limits.listPage }),
    },
    markMessageRead: {
      act: ({ params, expectedVersion, command }) =>
        markMessageRead(app, params.id, expectedVersion, command),
      reply: (id) => findMessage(reading, id),
    },
    deleteMessage: {
      act: ({ params, expectedVersion, command }) => eraseMessage(app, params.id, expectedVersion, command),
      reply: (id) => findMessage(reading, id),
    },
  }
}

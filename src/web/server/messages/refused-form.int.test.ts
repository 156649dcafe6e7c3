import type { Context } from 'koa'
import { expect, it } from 'vitest'
import { openRateLimits } from '#infrastructure/embedded/rate-limits.ts'
import { SiteBusy } from '../door/errors.ts'
import { messageRoutes } from './messages.ts'

type Deps = Parameters<typeof messageRoutes>[0]
type Refuse = (ctx: Context, sent: unknown, problem: { readonly message: string }) => Promise<void>

it('a refused form counts only when it was answered by a page', async () => {
  const pages = { contactRefused: () => Promise.reject(new SiteBusy()) }
  const settings = { trustProxy: 0, publicUrl: 'http://art.example' }
  // All that a refused form asks for.
  const site = { app: {}, documents: {}, rateLimits: openRateLimits(), secret: '', settings, pages }
  const deps = site as unknown as Deps
  const ctx = {
    req: { headers: {}, socket: { remoteAddress: '192.0.2.1' } },
    cookies: { get: () => undefined },
  } as unknown as Context // likewise
  // This route has it.
  const { invalid } = messageRoutes(deps).sendEnquiryForm as { readonly invalid: Refuse }
  for (let n = 0; n < 30; n += 1)
    await expect(invalid(ctx, {}, { message: 'No' })).rejects.toBeInstanceOf(SiteBusy)
})

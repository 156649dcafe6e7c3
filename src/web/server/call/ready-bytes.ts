import type { Context } from 'koa'
import type { PageAsked, PageAnswer } from '../door/cached-page.ts'

/** Answers with ready bytes, as the door would. */
export const sendReady = async (
  ctx: Context,
  answer: (asked: PageAsked) => PageAnswer | Promise<PageAnswer>,
): Promise<void> => {
  const { headers } = ctx.req
  const ready = await answer({
    acceptEncoding: headers['accept-encoding'],
    ifNoneMatch: headers['if-none-match'],
  })
  putReady(ctx, ready)
}

/** Puts an answer of ready bytes on its way. */
export const putReady = (ctx: Context, answer: PageAnswer): void => {
  ctx.status = answer.status
  if (answer.status !== 304) ctx.body = answer.body
  // After the body, which sets a type of its own.
  ctx.set(answer.headers)
}

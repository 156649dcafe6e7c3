import type { Log } from '#infrastructure/log/log.ts'

/**
 * What is loaded when it is first needed, so that nobody waits for it at the start. Node remembers a load that failed for
 * as long as the process lives: what is first needed while there are no file handles would never come back.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('#web/server/app.ts'),
  () => import('rate-limiter-flexible'),
  () => import('feedsmith'),
  () => import('#infrastructure/passwords/commonest.ts'),
  () => import('#infrastructure/metrics/render.ts'),
  () => import('undici'),
  async () => {
    // Its libraries come with the first text.
    const { createHtmlSanitiser } = await import('#infrastructure/html/sanitiser.ts')
    const html = createHtmlSanitiser()
    html.plainText(html.siteText('<p>a</p>'))
  },
  () => import('nodemailer'),
  () => import('#projections/runtime/builds.ts'),
  () => import('#infrastructure/archive/forget-keys.ts'),
  () => import('#infrastructure/archive/nightly.ts'),
]

/**
 * Loads, one after the other, what else is loaded only when it is needed. Says in the log what cannot be loaded.
 * @param more parts of what this process was made for, first
 */
export const loadLaterParts = async (
  log: Log,
  signal: AbortSignal,
  more: readonly (() => Promise<unknown>)[] = [],
): Promise<void> => {
  for (const load of [...more, ...parts]) {
    if (signal.aborted) return
    await load().catch((error: unknown) =>
      log.warn({ err: error }, 'A part of the program cannot be loaded: start the server again'),
    )
  }
  log.debug({}, 'All parts of the program are loaded')
}

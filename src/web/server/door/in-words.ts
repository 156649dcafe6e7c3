import type { IncomingMessage, ServerResponse } from 'node:http'
import { colors } from '#web/contract/colors.ts'
import { escapeHtml } from '#web/contract/escape.ts'
import { exchangeOf, isApi, sendText } from './exchange.ts'
import { hashSource, jsonType } from './headers.ts'

const { wall, ink } = colors
/** Nothing is fetched that might not be there either. */
const style = `body{display:grid;place-content:center;min-height:100vh;margin:0;background:${wall.light};color:${ink.light};text-align:center}h1{max-width:28ch;margin:1.5rem;font:400 1.5rem/1.35 Georgia,serif}p{margin:0 1.5rem 1.5rem;font:1rem/1.5 Georgia,serif}a{color:inherit}@media(prefers-color-scheme:dark){body{background:${wall.dark};color:${ink.dark}}}`

/** Beside the words it may load and do nothing. */
const policy = `default-src 'none'; style-src ${hashSource(style)}; frame-ancestors 'none'`

/** Whether a browser shows the answer. Programs take anything, and are given the form that is easier to read for them. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.accept?.startsWith('text/html') ?? false

/** Headers of a page of words. */
export const wordsHeaders = {
  'content-security-policy': policy,
  'content-type': 'text/html; charset=utf-8',
} as const

/** The one call outside of `/api`; what it refuses is JSON for programs. */
export const formPath = '/contact'
/** Whoever sent the form without a script has left the page: what was typed is there alone. */
const backToForm =
  '<p>Your browser’s Back button leads to what you wrote.</p><p><a href="/#contact">Begin again</a></p>'

/** The words as a page for people, with the way on where a form led here. @param path what was asked for */
export const pageOf = (message: string, path: string): string => {
  const words = escapeHtml(message)
  const way = path === formPath ? backToForm : ''
  return `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${words}</title><style>${style}</style></head><body><main><h1>${words}</h1>${way}</main></body></html>\n`
}

/**
 * Says that the site cannot be shown just now: a page for a browser, JSON for programs.
 * @param common headers of every answer
 */
export const answerClosed = (
  request: IncomingMessage,
  response: ServerResponse,
  common: Readonly<Record<string, string>>,
  message: string,
): void => {
  const { path } = exchangeOf(request)
  const isPage = !isApi(path) && wantsPage(request)
  const type = isPage ? wordsHeaders : { 'content-type': jsonType }
  const headers = { ...common, ...type, 'cache-control': 'no-store', 'retry-after': '2' }
  sendText(request, response, 503, headers, isPage ? pageOf(message, path) : JSON.stringify({ message }))
}

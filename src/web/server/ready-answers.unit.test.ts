import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { PageAnswer } from './door/cached-page.ts'
import { readyAnswers } from './ready-answers.ts'

const answerOf = (body: string): PageAnswer => ({ status: 200, headers: {}, body: Buffer.from(body) })

/** Who answers a request: `page`, `page of a session`, `file` or `list`; null for the app. */
const asked = async (target: string, headers: Record<string, string> = {}): Promise<string | null> => {
  const ready = readyAnswers({
    settings: {
      version: '1',
      publicUrl: 'http://art.example',
      publicUrlIsSet: true,
      trustProxy: 0,
      mail: 'off',
      mailTo: null,
      blogUrl: '',
    },
    lists: { answer: () => answerOf('list') },
    builtFiles: {
      answer: (path) =>
        path.endsWith('.js') ? Promise.resolve(path.includes('gone') ? null : answerOf('file')) : null,
    },
    pages: {
      page: (_path, _query, { session }) => answerOf(session ? 'page of a session' : 'page'),
      contactRefused: async () => answerOf(''),
      readNewest: async () => {},
      settled: async () => {},
      close: async () => {},
    },
  })
  const [path = '', query = ''] = target.split('?')
  // All that is read of a request.
  const request = { headers } as IncomingMessage
  const answer = await ready(request, {
    id: '',
    correlationId: '',
    path,
    query,
    startedAt: 0,
    route: null,
    failure: null,
  })
  return answer && answer.body.toString()
}

describe('what stands ready', () => {
  it.each([
    ['/', 'page'],
    ['/?category=Abstract', 'page'],
    ['/admin', 'page'],
    ['/artwork/sea-1', 'page'],
    ['/robots.txt', 'page'],
    ['/nowhere', 'page'],
    ['/assets/a-1.js', 'file'],
    ['/assets/gone-1.js', 'page'],
    ['/api/artworks', 'list'],
    ['/api/categories', 'list'],
    ['/api/artworks?category=Abstract', null],
    ['/api/artworks?deleted=true', null],
    ['/api/auth/user', null],
    ['/images/abc/320.avif', null],
    ['/qr/work/abc.svg', null],
  ])('%s is answered by %s', async (target, by) => {
    expect(await asked(target)).toBe(by)
  })

  it('is the page for whoever is signed in, and no list', async () => {
    const cookie = 'other=1; atelier=x'
    expect(await asked('/', { cookie })).toBe('page of a session')
    expect(await asked('/api/artworks', { cookie })).toBeNull()
    expect(await asked('/api/artworks', { 'x-session': 'required' })).toBeNull()
  })

  it('is not misled by a cookie that is named alike', async () => {
    expect(await asked('/', { cookie: 'not-atelier=1; atelier.sig=2' })).toBe('page')
  })
})

import { describe, inject } from 'vitest'
import type { ServerName } from './containers.ts'
import type { ServerAnswer } from './engine-desk.ts'

type Server = Exclude<ServerAnswer, { readonly reason: string }>

const ask = async (name: ServerName): Promise<ServerAnswer> => {
  const answer = await fetch(`${inject('engineDesk')}/${name}`)
  const text = await answer.text()
  // Where Docker answers nothing is skipped: a server that does not start fails its suites.
  if (!answer.ok) throw new Error(`The server ${name} could not be started: ${text}`)
  return JSON.parse(text) as ServerAnswer // written by the set-up of this run
}

/** Addresses that can be read, at which nothing answers. */
const nowhere: Readonly<Record<ServerName, string>> = {
  eventstore: 'esdb://nowhere.invalid',
  mongodb: 'mongodb://nowhere.invalid/none',
  redis: 'redis://nowhere.invalid',
}

/**
 * Tests that need servers. Where one of them cannot be had all are counted as skipped, with the reason.
 * To be awaited at the top of a file: `await describeOnServers('MongoDB', ['mongodb'], ({ mongodb }) => …)`.
 * @param suite defines the tests; where they are skipped it is called with addresses at which nothing answers,
 *   so that they can be counted: it connects in hooks and tests only
 */
export const describeOnServers = async <Name extends ServerName>(
  title: string,
  names: readonly Name[],
  suite: (servers: { readonly [name in Name]: Server }) => void,
): Promise<void> => {
  const answers = await Promise.all(names.map(async (name) => [name, await ask(name)] as const))
  const reasons = answers.flatMap(([, answer]) => ('reason' in answer ? [answer.reason] : []))
  const servers = Object.fromEntries(
    answers.map(([name, answer]) => [
      name,
      'reason' in answer ? { url: nowhere[name], controlUrl: null } : answer,
    ]),
  ) as { readonly [name in Name]: Server }
  const why = reasons.length === 0 ? '' : ` (skipped: ${[...new Set(reasons)].join('; ')})`
  describe.skipIf(why !== '')(`${title}${why}`, () => {
    suite(servers)
  })
}

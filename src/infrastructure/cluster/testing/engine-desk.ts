import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type RunningContainer, type ServerName, startContainer, whyNoContainers } from './containers.ts'

/** What a suite is told of a server: where it is, or why there is none. */
export type ServerAnswer =
  | {
      readonly url: string
      /** where faults can be ordered of it; null where it takes no orders */
      readonly controlUrl: string | null
    }
  | { readonly reason: string }

declare module 'vitest' {
  export interface ProvidedContext {
    readonly engineDesk: string
  }
}

const variables = { eventstore: 'EVENTSTORE_URL', mongodb: 'MONGODB_URL', redis: 'REDIS_URL' } as const

const isServerName = (text: string): text is ServerName => Object.hasOwn(variables, text)

/**
 * Set-up of the integration tests. Listens on loopback and hands out one server of each kind to all files of a
 * run: by address from the environment, else a container, started only when the first suite asks for it and
 * stopped at the end. Runs that test nothing of the cluster start and load nothing.
 * @returns what ends it
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const asked = new Map<ServerName, Promise<ServerAnswer>>()
  const containers: RunningContainer[] = []

  const provide = async (name: ServerName): Promise<ServerAnswer> => {
    const url = process.env[variables[name]]
    if (url) {
      const controlUrl = (name === 'eventstore' && process.env['EVENTSTORE_CONTROL_URL']) || null
      return { url, controlUrl }
    }
    const missing = await whyNoContainers()
    if (missing !== null) return { reason: `${variables[name]} is not set and ${missing}` }
    const container = await startContainer(name)
    containers.push(container)
    return { url: container.url, controlUrl: container.controlUrl }
  }

  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    if (!isServerName(name)) {
      response.writeHead(404).end(`No server is called ${name}`)
      return
    }
    const answer = asked.get(name) ?? provide(name)
    asked.set(name, answer)
    answer.then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  // Starting a container may take minutes where its image is not there yet.
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  project.provide('engineDesk', `http://127.0.0.1:${address.port}`)
  return async () => {
    server.closeAllConnections()
    server.close()
    await Promise.allSettled(asked.values())
    await Promise.all(containers.map((container) => container.stop()))
  }
}

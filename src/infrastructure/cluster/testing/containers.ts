import { existsSync } from 'node:fs'
import type { StartedTestContainer } from 'testcontainers'

/** The servers that suites may ask for. */
export type ServerName = 'eventstore' | 'mongodb' | 'redis'

export interface RunningContainer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const startupMs = 180_000

/**
 * Why no container can be started here, in words; null where Docker answers. Looks for a socket first, so that
 * machines without Docker do not pay for loading the library.
 */
export const whyNoContainers = async (): Promise<string | null> => {
  const named = process.env['DOCKER_HOST']
  const sockets = ['/var/run/docker.sock', `${process.env['HOME'] ?? ''}/.docker/run/docker.sock`]
  if (named === undefined && process.platform !== 'win32' && !sockets.some((path) => existsSync(path))) {
    return 'there is no Docker'
  }
  const { getContainerRuntimeClient } = await import('testcontainers')
  try {
    await getContainerRuntimeClient()
    return null
  } catch (error) {
    return `Docker does not answer (${error instanceof Error ? error.message : String(error)})`
  }
}

/** Starts one server of an official image, or of the image that the environment names (interface: Containers). */
export const startContainer = async (name: ServerName): Promise<RunningContainer> => {
  const { GenericContainer, Wait } = await import('testcontainers')
  const image = (variable: string, official: string): InstanceType<typeof GenericContainer> =>
    new GenericContainer(process.env[variable] || official).withStartupTimeout(startupMs)
  const running = (container: StartedTestContainer, port: number, url: (place: string) => string) => ({
    url: url(`${container.getHost()}:${container.getMappedPort(port)}`),
    stop: async () => {
      await container.stop()
    },
  })
  switch (name) {
    case 'eventstore': {
      // Both families of names: EventStoreDB, and KurrentDB through EVENTSTORE_IMAGE.
      const settings = { INSECURE: 'true', CLUSTER_SIZE: '1', RUN_PROJECTIONS: 'None' }
      const environment = Object.entries(settings).flatMap(([key, value]) => [
        [`EVENTSTORE_${key}`, value],
        [`KURRENTDB_${key}`, value],
      ])
      const container = await image('EVENTSTORE_IMAGE', 'eventstore/eventstore:24.10')
        .withEnvironment(Object.fromEntries(environment))
        .withExposedPorts(2113)
        // alive comes a moment too early: before it leads, calls are lost
        .withWaitStrategy(
          Wait.forHttp('/info', 2113).forResponsePredicate((body) => /"state":\s*"leader"/.test(body)),
        )
        .start()
      return running(container, 2113, (place) => `esdb://${place}?tls=false`)
    }
    case 'mongodb': {
      const container = await image('MONGODB_IMAGE', 'mongo:7.0').withExposedPorts(27_017).start()
      return running(container, 27_017, (place) => `mongodb://${place}/atelier?directConnection=true`)
    }
    case 'redis': {
      const container = await image('REDIS_IMAGE', 'redis:7.4').withExposedPorts(6379).start()
      return running(container, 6379, (place) => `redis://${place}`)
    }
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'

/** The servers that suites may ask for. */
export type ServerName = 'eventstore' | 'mongodb' | 'redis'

export interface RunningContainer {
  readonly url: string
  /** where faults can be ordered of it; null where it takes no orders */
  readonly controlUrl: string | null
  readonly stop: () => Promise<void>
}

const startupMs = 180_000
/** Where an image made for tests takes orders for faults; the official ones have nobody there. */
const controlPort = 2114

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

/** The image that the environment names, else the one that the site itself runs on. */
const imageOf = (variable: string): string => {
  const compose = readFileSync(join(import.meta.dirname, '../../../../docker-compose.yml'), 'utf8')
  const pinned = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)?.[1]
  const image = process.env[variable] || pinned
  if (image === undefined) throw new Error(`docker-compose.yml pins no image for ${variable}`)
  return image
}

/** Starts one server of an official image, or of the image that the environment names. */
export const startContainer = async (name: ServerName): Promise<RunningContainer> => {
  const { GenericContainer, Wait } = await import('testcontainers')
  const image = (variable: string): InstanceType<typeof GenericContainer> =>
    new GenericContainer(imageOf(variable)).withStartupTimeout(startupMs)
  const running = (
    container: StartedTestContainer,
    port: number,
    url: (place: string) => string,
    controlUrl: string | null = null,
  ): RunningContainer => ({
    url: url(`${container.getHost()}:${container.getMappedPort(port)}`),
    controlUrl,
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
      const container = await image('EVENTSTORE_IMAGE')
        .withEnvironment(Object.fromEntries(environment))
        .withExposedPorts(2113, controlPort)
        // alive comes a moment too early: before it leads, calls are lost
        .withWaitStrategy(
          Wait.forHttp('/info', 2113).forResponsePredicate((body) => /"state":\s*"leader"/.test(body)),
        )
        .start()
      const control = `http://${container.getHost()}:${container.getMappedPort(controlPort)}`
      const takesOrders = await fetch(`${control}/state`).then(
        (answer) => answer.ok,
        () => false,
      )
      return running(container, 2113, (place) => `esdb://${place}?tls=false`, takesOrders ? control : null)
    }
    case 'mongodb': {
      const container = await image('MONGODB_IMAGE').withExposedPorts(27_017).start()
      return running(container, 27_017, (place) => `mongodb://${place}/atelier?directConnection=true`)
    }
    case 'redis': {
      const container = await image('REDIS_IMAGE').withExposedPorts(6379).start()
      return running(container, 6379, (place) => `redis://${place}`)
    }
  }
}

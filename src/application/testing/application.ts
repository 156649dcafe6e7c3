import { hash as digest, randomUUID } from 'node:crypto'
import type { Application } from '../application.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { createExecutor } from '../kernel/execute.ts'
import { ImageRefused } from '../ports/images.ts'
import { SafeFetchError } from '../kernel/ports/safe-fetch.ts'
import { memoryEventStore } from './memory-event-store.ts'
import { memoryFiles } from './memory-files.ts'
import { memoryLeases } from './memory-leases.ts'
import { memoryVault } from './memory-vault.ts'

/** Every image of this application is the same nine bytes. */
const image = new Uint8Array(9)
export const imageHash = digest('sha256', image, 'hex')

const unused = (name: string) => (): never => {
  throw new Error(`This test does not expect ${name}`)
}

/**
 * An application on a log in memory, for tests of use cases. Images at `https://images.example/…` can be
 * copied, those at `…/slow…` time out, `…/text…` are no images, all others cannot be reached.
 */
export const testApplication = (overrides: Partial<Application> = {}) => {
  const eventStore = memoryEventStore()
  const keyVault = memoryVault()
  const files = new Map<string, Uint8Array>()
  const downloads = new Map<string, string>()
  const app: Application = {
    eventStore,
    executor: createExecutor(eventStore),
    readModels: { shows: async () => true, version: () => '0' },
    lookups: {
      artworkPlaces: async () => [],
      firstRank: async () => null,
      mirroredPosts: async () => [],
      removedPosts: async () => [],
      currentCards: async () => [],
      termsOfArtworks: async () => [],
    },
    clock: { now: () => new Date('2026-03-04T05:06:07.000Z'), newId: randomUUID },
    keyVault,
    files: memoryFiles(files, async () => image),
    images: {
      warm: () => {},
      first: async (path) => {
        if (downloads.get(path)?.includes('/text')) {
          throw new ImageRefused('wrong-type', 'Only JPEG and PNG pictures can be used')
        }
        return {
          hash: imageHash,
          format: 'jpeg',
          width: 40,
          height: 30,
          bytes: 9,
          placeholder: 'data:image/webp;base64,AA',
          color: '#aabbcc',
          view: { width: 40, height: 30, data: new Uint8Array([1]) },
        }
      },
      variants: unused('variants'),
      check: unused('a check'),
      card: unused('a card'),
      qr: unused('a QR'),
      close: async () => {},
    },
    safeFetch: {
      get: unused('fetching'),
      download: async ({ url }, path) => {
        if (url.includes('/slow')) throw Object.assign(new Error('too slow'), { name: 'TimeoutError' })
        if (!/^https?:\/\/pictures\.example\//.test(url)) {
          throw new SafeFetchError('unreachable', 'The other site does not answer')
        }
        downloads.set(path, url)
        const validators = { etag: null, lastModified: null }
        return { status: 200, url, charset: null, validators }
      },
      close: async () => {},
    },
    html: {
      siteText: (html) => html.replaceAll(/<script.*?<\/script>/g, ''),
      journal: (html) => html,
      imagesOf: () => [],
      excerptOf: (html) => html,
    },
    leases: memoryLeases(),
    scratch: { path: async (name) => name, folder: async (name) => name, remove: async () => {} },
    accounts: {
      count: unused('accounts'),
      findByUsername: unused('accounts'),
      find: unused('accounts'),
      addFirst: unused('accounts'),
      setPassword: unused('accounts'),
      setFirstStepsAway: unused('accounts'),
      replaceAll: unused('accounts'),
      all: unused('accounts'),
    },
    sessions: {
      find: unused('sessions'),
      save: unused('sessions'),
      touch: unused('sessions'),
      setCredentialVersion: unused('changing a session'),
      remove: unused('sessions'),
      listByAccount: unused('sessions'),
      removeById: unused('sessions'),
      removeOthers: unused('sessions'),
      sweep: unused('sessions'),
    },
    ...overrides,
  }
  return { app, eventStore, keyVault, files }
}

/** A command of the owner's, with an id of its own unless one is given. */
export const ownerCommand = (commandId: string = randomUUID()): CommandContext => ({
  commandId,
  correlationId: 'request',
  causationId: 'request',
  actor: { kind: 'owner', accountId: 'owner' },
  now: new Date('2026-03-04T05:06:07.000Z'),
})

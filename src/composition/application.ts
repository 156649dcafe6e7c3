import { join } from 'node:path'
import type { Application } from '#application/application.ts'
import type { Lookups } from '#application/ports/lookups.ts'
import { type CommandMeasured, createExecutor } from '#application/kernel/execute.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { ReadModels } from '#application/kernel/ports/read-models.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { createHtmlSanitiser } from '#infrastructure/html/sanitiser.ts'
import { openImages } from '#infrastructure/images/images.ts'
import { openSafeFetch } from '#infrastructure/safe-fetch/safe-fetch.ts'
import { openScratch } from '#infrastructure/scratch/scratch.ts'
import { artworkPlaces, currentCards, firstRank, termsOfArtworks } from '#projections/artworks/queries.ts'
import { mirroredPosts, removedPosts } from '#projections/journal/queries.ts'

/** What use cases ask of the read models, answered by the projections' queries. */
const lookupsIn = (documents: Documents): Lookups => ({
  artworkPlaces: () => artworkPlaces(documents),
  firstRank: (sortOrder) => firstRank(documents, sortOrder),
  mirroredPosts: () => mirroredPosts(documents),
  removedPosts: () => removedPosts(documents),
  currentCards: () => currentCards(documents),
  termsOfArtworks: () => termsOfArtworks(documents),
})

/** The application on these engines. Its helpers start only when they are first used. */
export const composeApplication = async (
  config: Config,
  engines: Engines,
  clock: Clock,
  readModels: ReadModels,
  hindrance: () => Error | null = () => null,
  measured: (command: CommandMeasured) => void = () => undefined,
): Promise<Application> => ({
  executor: createExecutor(engines.eventStore, { measured, hindrance }),
  eventStore: engines.eventStore,
  readModels,
  lookups: lookupsIn(engines.documents),
  clock,
  files: engines.files,
  images: openImages(),
  safeFetch: openSafeFetch({ allowPrivate: config.fetchAllowPrivate }),
  html: createHtmlSanitiser(),
  keyVault: engines.keyVault,
  accounts: engines.accounts,
  sessions: engines.sessions,
  leases: engines.leases,
  scratch: await openScratch(join(config.dataDir, 'scratch'), engines.isDiskShort),
})

import { join } from 'node:path'
import type { Application } from '#application/application.ts'
import type { Passwords } from '#application/kernel/ports/passwords.ts'
import { pause } from '#application/kernel/retry.ts'
import { shareReadings } from '#application/kernel/sharing.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { noteUnreadForwarding } from '#infrastructure/config/unread-forwarding.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { movedByDates } from '#projections/journal/coming-posts.ts'
import { forReaders } from '#projections/runtime/for-readers.ts'
import { newestChangeIn } from '#projections/runtime/view-versions.ts'
import type { Views } from '#projections/runtime/views.ts'
import { mediumsProjection } from '#projections/taxonomy/taxonomy-view.ts'
import type { App } from '#web/server/app.ts'
import type { WebDeps } from '#web/server/deps.ts'
import type { Listener, MeasureRequest } from '#web/server/door/ports.ts'
import { createBuiltFiles } from '#web/server/door/built-files.ts'
import { createDoor } from '#web/server/door/door.ts'
import { readyAnswers } from '#web/server/ready-answers.ts'
import { readClientBuild } from '#web/server/pages/build.ts'
import { createPages } from '#web/server/pages/pages.ts'
import { type ChangedModel, publicModels } from '#web/contract/changes.ts'
import { createPublicLists } from '#web/server/public-lists.ts'
import { modelsChangedSince, pageViews, readPageData } from '#web/server/pages/read-page-data.ts'
import { lastBackup } from '../last-backup.ts'

/** Where the built client and the sample images lie, beside `src`. */
const root = join(import.meta.dirname, '../../..')

/** What visitors see, on pages and in the lists beside them. */
const publicNames: ReadonlySet<ChangedModel> = new Set(publicModels)

/** After a change: those that come together are read once. */
const readNewestAfterMs = 500

/**
 * Builds what answers requests for the site.
 * @param ports.folder what this process alone keeps files in
 */
export const startWebRole = async (
  ports: Pick<WebDeps, 'readiness' | 'isInsider' | 'nextSyncAt'> & {
    readonly app: Application
    readonly engines: Engines
    readonly views: Views
    readonly passwords: Passwords
    readonly config: Config
    readonly folder: string
    readonly version: string
    readonly mail: 'on' | 'off'
    readonly metrics: Listener
    readonly measure: MeasureRequest
    readonly log: Log
  },
) => {
  const { app, engines, views, config, log, ...rest } = ports
  const documents = forReaders(engines.documents, (details, message) => log.warn(details, message))
  const viewsVersion = movedByDates(views, documents, app.clock)
  const blogUrl = config.blogUrl ?? ''
  let changedAt = Number.NEGATIVE_INFINITY
  const readNewest = shareReadings(async () => {
    await pause(readNewestAfterMs, undefined, { ref: false })
    await pages.readNewest()
    await lists.readNewest()
  })
  views.onChange(({ models }) => {
    if (!models.some((model) => publicNames.has(model))) return
    changedAt = performance.now()
    // Embedded engines are never silent. What cannot be read now is read for the next visitor.
    if (config.mongodbUrl !== null) void readNewest().catch(() => undefined)
  })
  const heard = { heardAt: engines.heardAt, changedAt: () => changedAt }
  // Set by `npm run dev` alone: pages are then rendered with the sources of the moment.
  const build = readClientBuild(join(root, 'dist'), process.env['ATELIER_DEV_RENDERER'])
  const pages = createPages({
    readPageData: (at, settings) =>
      readPageData({ documents, html: app.html, clock: app.clock, settings }, at),
    settings: { blogUrl },
    versions: () => viewsVersion(pageViews),
    ...heard,
    loadRenderer: build.loadRenderer,
    assets: build.assets,
    publicUrl: config.publicUrl,
    folder: join(ports.folder, 'pages'),
    onError: (error) => log.warn({ err: error }, 'a page could not be kept'),
  })
  const deps: WebDeps = {
    ...rest,
    app,
    html: app.html,
    documents,
    readModels: { shows: views.shows, version: viewsVersion },
    pages,
    settings: {
      version: ports.version,
      publicUrl: config.publicUrl,
      publicUrlIsSet: config.publicUrlIsSet,
      trustProxy: config.trustProxy,
      mail: ports.mail,
      mailTo: config.mailTo,
      blogUrl,
    },
    log,
    rateLimits: engines.rateLimits,
    idempotency: engines.idempotency,
    jobs: engines.jobs,
    changes: {
      onChange: views.onChange,
      since: async (before) => modelsChangedSince(before, await viewsVersion(pageViews)),
      shownTo: views.shownTo,
      newestForVisitors: async () =>
        newestChangeIn(await views.version([...pageViews, mediumsProjection.view.name])),
    },
    secret: engines.secret,
    clientFolder: build.clientFolder,
    freeBytes: engines.freeBytes,
    backup: () => lastBackup(engines, config),
    unreadForwarding: noteUnreadForwarding({ effects: engines.effects, clock: ports.app.clock, log }),
  }
  let made: App | null = null
  const lists = createPublicLists({ ...deps, clock: app.clock, ...heard })
  const builtFiles = createBuiltFiles(build.clientFolder, config.publicUrl, config.assetsDir)
  let stopSharing = (): void => undefined
  if (config.assetsDir !== null) {
    const { keepShared } = await import('#web/server/door/share-files.ts')
    stopSharing = await keepShared(build.clientFolder, config.assetsDir, app.clock.now, (error) =>
      log.warn({ err: error }, 'ASSETS_DIR cannot be filled: pages of another version may lack their files'),
    )
  }
  const listener = createDoor({
    ...deps,
    ready: readyAnswers({ lists, builtFiles, pages, settings: deps.settings }),
    loadApp: async (koa) => {
      const { createApp } = await import('#web/server/app.ts')
      made = createApp(koa, deps, lists)
      return made.middleware
    },
  })
  return {
    listener,
    /** Loads what renders pages, so that it is there when no file can be opened any more. */
    loadRenderer: build.loadRenderer,
    /** ends what would stay open by itself: the change streams */
    stopStreams: async () => made?.close(),
    /** ends those of sessions that have ended; whoever ends one elsewhere than in an answer tells so */
    lookAtAccounts: async () => made?.lookAtAccounts(),
    /** after the last request: nothing more is kept; resolves when what is under way is done */
    stop: () => {
      stopSharing()
      return pages.close()
    },
  }
}

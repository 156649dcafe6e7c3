import { within } from '#application/kernel/within.ts'
import { isMissing, reasonOf } from '#application/kernel/reason.ts'
import { access, constants, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { neededOriginals } from '#application/images/lacking.ts'
import { lackingFiles } from '#application/kernel/archive/needed-files.ts'
import { lostKeys, returnedKeys, surveyKeys } from '#application/kernel/archive/needed-keys.ts'
import { EngineAway, type Position } from '#application/kernel/ports/event-store.ts'
import { neededLetterKeys } from '#application/messages/needed-keys.ts'
import { keysAdvice, returnedAdvice } from '#infrastructure/archive/complaints.ts'
import { idsIn } from '#infrastructure/archive/keys-file.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { lastUnreadForwarding } from '#infrastructure/config/unread-forwarding.ts'
import type { Engines } from '#infrastructure/engines.ts'
import { freeBytesAt } from '#infrastructure/free-bytes.ts'
import { refuseHalfFilled } from '#infrastructure/archive/filling-mark.ts'
import { lostLog } from '#infrastructure/lost-log.ts'
import { checkMailServer } from '#infrastructure/mail/smtp.ts'
import { openSafeFetch } from '#infrastructure/safe-fetch/safe-fetch.ts'
import { isFromFuture, readBackupStatus } from '#jobs/backup-schedule.ts'
import { lostJobs } from '#jobs/lost-work.ts'
import { listActivity } from '#projections/activity/queries.ts'
import { allProjections } from '#projections/all-projections.ts'
import { astrayInWords, astrayViews, beyondLog } from '#projections/runtime/astray.ts'
import { parkedView } from '#projections/runtime/fold.ts'
import { measureLag } from '#projections/runtime/lag.ts'
import type { ViewDocument } from '#projections/runtime/projection.ts'
import { lastChanges } from '#projections/runtime/view-versions.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import { getBlogUrl, getContactEmail } from '#projections/site-content/queries.ts'

/** What was found in one place. `hint`: it works, and could be better; `problem`: it wants something done. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'hint' | 'problem'
  /** what is, and where it is not well what to do, in words */
  readonly message: string
}

/** spec L-22 */
const leastFreeBytes = 500_000_000
/** Clocks of two machines differ a little; by more the log's times mislead. */
const clockToleranceMs = 60_000
const laggingSeconds = 30
const oldBackupMs = 36 * 60 * 60_000
const patienceMs = 10_000
/** So many jobs that failed for good are named one by one. */
const namedJobs = 10

const found =
  (check: string) =>
  (level: Finding['level'], message: string): Finding => ({ check, level, message })

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000).toLocaleString('en')} MB`

export const checkDisk = async ({ dataDir }: Config): Promise<readonly Finding[]> => {
  const say = found('disk')
  try {
    await access(dataDir, constants.W_OK)
    const free = await freeBytesAt(dataDir)
    return [
      free < leastFreeBytes
        ? say(
            'problem',
            `Only ${megabytes(free)} are free where ${dataDir} lies. Make room: uploads and writes fail when it is full`,
          )
        : say('ok', `${megabytes(free)} are free where ${dataDir} lies`),
    ]
  } catch (error) {
    if (isMissing(error))
      return [say('hint', `${dataDir} is not there yet. The first start of the server makes it`)]
    return [
      say(
        'problem',
        `${dataDir} cannot be written: give it to the user that runs Atelier (${reasonOf(error)})`,
      ),
    ]
  }
}

/** Who else on this machine could read what must stay with its owner. */
export const checkModes = async ({ dataDir, backupDir }: Config): Promise<readonly Finding[]> => {
  const say = found('secrets')
  const keys =
    backupDir === null
      ? []
      : (await readdir(backupDir).catch(() => []))
          .filter((name) => name.endsWith('.keys'))
          .map((name) => join(backupDir, name))
  const open: Finding[] = []
  for (const path of [join(dataDir, 'secret'), join(dataDir, 'atelier.db'), '.env', ...keys]) {
    try {
      const { mode } = await stat(path)
      // What lies in a folder that only its owner may enter is as closed as the folder.
      const folder = path.startsWith(dataDir) ? (await stat(dataDir)).mode : 0o777
      const readable = mode & folder & 0o077
      if (readable !== 0) {
        open.push(say('problem', `Others on this machine can read ${path}. Close it with: chmod 600 ${path}`))
      }
    } catch (error) {
      if (!isMissing(error)) open.push(say('hint', `${path} cannot be looked at: ${reasonOf(error)}`))
    }
  }
  return open.length > 0 ? open : [say('ok', 'Only their owner can read the secret, the keys and the data')]
}

/** Whether an engine on a server answers in time; in words when it does not, null when it does or is embedded. */
const silence = async (
  server: string,
  url: string | null,
  ask: () => Promise<unknown>,
): Promise<string | null> => {
  if (url === null) return null
  try {
    await within(ask(), patienceMs, () => {
      throw new Error(`no answer within ${patienceMs / 1_000} s`)
    })
    return null
  } catch (error) {
    return `${server} does not answer: start it, or mend its address (${reasonOf(error)})`
  }
}

const settingOf: Readonly<Record<string, string>> = {
  log: 'EVENTSTORE_URL',
  mongodb: 'MONGODB_URL',
  redis: 'REDIS_URL',
}

/** Why a check could not even be made, with what to do about it. */
export const inWords = (error: unknown): string => {
  const setting = error instanceof EngineAway ? settingOf[error.engine] : undefined
  const reason = reasonOf(error).replace(/\.$/, '')
  return setting === undefined ? reason : `${reason}. Start that server, or mend ${setting}`
}

/** The engines and what is served from them. @param engines opened beside whatever runs */
export const checkEngines = async (engines: Engines, config: Config): Promise<readonly Finding[]> => {
  const say = found('engines')
  const away = (
    await Promise.all([
      silence('EventStoreDB (EVENTSTORE_URL)', config.eventStoreUrl, () => engines.eventStore.head()),
      silence('MongoDB (MONGODB_URL)', config.mongodbUrl, () => engines.effects.find('nothing')),
      silence('Redis (REDIS_URL)', config.redisUrl, () => engines.jobs.list({ limit: 1 })),
    ])
  ).filter((words) => words !== null)
  if (away.length > 0) return away.map((words) => say('problem', words))
  const of = (url: string | null, server: string): string => (url === null ? 'embedded' : server)
  const kinds = [
    `log ${of(config.eventStoreUrl, 'EventStoreDB')}`,
    `documents ${of(config.mongodbUrl, 'MongoDB')}`,
    `jobs ${of(config.redisUrl, 'Redis')}`,
  ]
  return [
    say('ok', `All engines answer, and the data has the version of this program: ${kinds.join(', ')}`),
    ...(await checkViews(engines)),
    ...(await checkJobs(engines)),
  ]
}

/** Whether the log is as long as it once was. */
export const checkLog = async (engines: Engines, config: Config): Promise<readonly Finding[]> => {
  await refuseHalfFilled(engines.effects)
  const words = await lostLog(engines, config)
  return words === null ? [] : [found('log')('problem', words)]
}

/** Whether anybody can sign in. */
export const checkAccounts = async ({ accounts, eventStore }: Engines): Promise<readonly Finding[]> => {
  if ((await accounts.count()) > 0 || (await eventStore.head()) === null) return []
  const words =
    'There is no account, and nobody can sign in. Bring it back with a copy or a backup, or start the server ' +
    'again: it makes the first one from ADMIN_USERNAME and ADMIN_PASSWORD'
  return [found('accounts')('problem', words)]
}

/** Whether every original is there that the log needs, as long as it was. */
export const checkOriginals = async ({ eventStore, files }: Engines): Promise<readonly Finding[]> => {
  const needed = await neededOriginals.of(eventStore, new AbortController().signal)
  const words = neededOriginals.inWords(await lackingFiles(needed, files.readableBytes))
  if (words === '') return []
  const advice = 'Bring them back from a backup or a copy, or upload the same pictures again'
  return [found('pictures')('problem', `${words}. ${advice}`)]
}

/** Whether every letter that was not erased has its key, and none that was. */
export const checkLetters = async ({ eventStore, keyVault }: Engines): Promise<readonly Finding[]> => {
  const { signal } = new AbortController()
  const ofLog = await surveyKeys(neededLetterKeys, eventStore, signal, await eventStore.head())
  const vault = await keyVault.takeOut()
  const findings = [
    [neededLetterKeys.inWords(lostKeys(ofLog.open, idsIn(vault))), keysAdvice],
    [neededLetterKeys.returnedInWords(returnedKeys(ofLog, vault).length), returnedAdvice],
  ] as const
  return findings.flatMap(([words, advice]) =>
    words === '' ? [] : [found('letters')('problem', `${words}. ${advice}`)],
  )
}

/** The one that says it is furthest. */
const furthest = (places: readonly (readonly [string, Position])[]): ReadonlyMap<string, Position> =>
  new Map(places.toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, 1))

const checkViews = async (engines: Engines): Promise<readonly Finding[]> => {
  const say = found('views')
  const views = allProjections.map(({ view }) => view)
  const checkpoints = await engines.documents.checkpoints(views)
  const places = views.map((view, n) => ({ view, position: checkpoints[n] ?? null }))
  const lag = await measureLag(engines, places)
  const findings: Finding[] = []
  if (lag.parked > 0) {
    findings.push(
      say(
        'problem',
        `${lag.parked} events could not be projected: update Atelier, then run "atelier projections rebuild --all"`,
      ),
    )
  }
  if (lag.seconds >= laggingSeconds) {
    const late = `What is served is ${lag.events} events and ${Math.round(lag.seconds)} s behind the log`
    findings.push(say('problem', `${late}. Start the server, or look into the log of the one that projects`))
  }
  const astray = await astrayViews(engines.eventStore, engines.documents, [
    ...views,
    ...views.map(parkedView),
    lastChanges,
  ])
  if (astray.size > 0) findings.push(say('problem', astrayInWords(astray)))
  for (const { view, position } of places) {
    // Nothing was ever served from it: the next start makes it.
    if (position === null) continue
    const stored = await engines.documents.findStored<ViewDocument>(view, {})
    const places = stored.flatMap(({ id, document }) =>
      // The stamp was a position before it became a field of the document.
      document === null ? [] : [[`${view.name} ${id}`, document.position as Position] as const],
    )
    const ahead = astray.has(view.name) ? new Map() : await beyondLog(engines.eventStore, furthest(places))
    if (ahead.size > 0) findings.push(say('problem', astrayInWords(ahead)))
    const bad = stored.filter(({ document }) => document === null)
    if (bad.length === 0) continue
    const ids = bad.slice(0, namedJobs).map(({ id }) => id)
    const what = `${bad.length} of ${view.name} cannot be read and are left out (${ids.join(', ')})`
    findings.push(say('problem', `${what}. Run "atelier projections rebuild ${view.name}"`))
  }
  return findings.length > 0 ? findings : [say('ok', 'What is served is what the log says')]
}

/** Work that is tried again for as long as the site cannot do it looks from outside as if it were still under way. */
const checkWaitingJobs = async (jobs: Engines['jobs']): Promise<readonly Finding[]> => {
  const waiting = await jobs.list({ states: ['waiting'], limit: 1_000 })
  const failed = waiting.filter(({ reason }) => reason !== null)
  const [first] = failed
  const say = found('jobs')
  if (first === undefined) return [say('ok', 'No background work has failed for good')]
  const each = `${first.name} (${first.reason?.replace(/\.$/, '')})`
  const count = failed.length === 1 ? '1 job waits' : `${failed.length} jobs wait`
  return [say('hint', `${count} to be tried again, the newest of them ${each}: "atelier jobs list" has all`)]
}

const checkJobs = async ({ jobs }: Engines): Promise<readonly Finding[]> => {
  const parked = await jobs.list({ states: ['parked'], limit: 1_000 })
  const say = found('jobs')
  if (parked.length === 0) return checkWaitingJobs(jobs)
  return parked.slice(0, namedJobs).map(({ id, name, reason }) => {
    const why = (reason ?? 'it is not known why').replace(/\.$/, '')
    const rest = parked.length > namedJobs ? ` (one of ${parked.length}: "atelier jobs list" has all)` : ''
    return say(
      'problem',
      `${name} failed for good: ${why}. Mend that, then "atelier jobs retry ${id}" or Try again in the dashboard${rest}`,
    )
  })
}

/** Whether somebody waits for work that no job does any more, as after the job queue was emptied. */
export const checkLostJobs = async (engines: Engines): Promise<readonly Finding[]> => {
  const lost = await lostJobs(engines, new AbortController().signal)
  const say = found('jobs')
  const advice =
    'Start the worker, which queues it again when the job queue was lost, or run "atelier jobs resume"'
  return lost.slice(0, namedJobs).map(({ name, data }) => {
    const [id] = Object.values(data)
    const what =
      name === 'process-image'
        ? `The picture ${id} was uploaded and its sizes were never made`
        : `The message ${id} was received and never mailed`
    const rest = lost.length > namedJobs ? ` (one of ${lost.length})` : ''
    return say('problem', `${what}, and no job is there for it. ${advice}${rest}`)
  })
}

/** Whether a proxy stands in front that is not told of. A hint only: anybody can send the header that tells of one. */
export const checkProxy = async ({ effects }: Engines, config: Config): Promise<readonly Finding[]> => {
  if (config.trustProxy > 0) return []
  const last = await lastUnreadForwarding(effects)
  if (last === null) return []
  return [
    found('proxy')(
      'hint',
      `Requests came with X-Forwarded-For (last noted ${last.toISOString()}), and TRUST_PROXY is 0. Where a proxy stands in front, set TRUST_PROXY=1: until then all visitors count as one`,
    ),
  ]
}

/** Whether letters by mail find the artist. */
export const checkContact = async (
  { documents }: Engines,
  { publicUrl }: Config,
): Promise<readonly Finding[]> => {
  const say = found('e-mail')
  const email = await getContactEmail(documents)
  if (email !== '') return [say('ok', `Visitors write to ${email}`)]
  const seen = publicUrl?.startsWith('https:')
    ? 'Visitors find no e-mail address on the page, only the form'
    : 'The page shows a built-in e-mail address that nobody reads'
  return [say('hint', `${seen}. Save yours in the dashboard, under Contact Information`)]
}

/** Whether this machine's clock can follow the log's. */
export const checkClock = async ({ documents }: Engines, now: Date): Promise<readonly Finding[]> => {
  const say = found('clock')
  const [newest] = (await listActivity(documents, { limit: 1 })).items
  const ahead = newest === undefined ? 0 : Date.parse(newest.at) - now.getTime()
  if (ahead <= clockToleranceMs) return [say('ok', `It is ${now.toISOString()}`)]
  return [
    say(
      'problem',
      `The newest event is from ${newest?.at}, later than this machine's ${now.toISOString()}. Set the clock (NTP)`,
    ),
  ]
}

export const checkMail = async (config: Config): Promise<readonly Finding[]> => {
  const say = found('mail')
  if (config.smtpUrl === null) {
    return [
      say(
        'hint',
        'Enquiries are not mailed; they stand in the dashboard. Set SMTP_URL and MAIL_FROM to get mail',
      ),
    ]
  }
  try {
    await checkMailServer(config.smtpUrl)
    return [say('ok', 'The mail server accepts the connection')]
  } catch (error) {
    return [say('problem', `${reasonOf(error)}. Mend SMTP_URL, or ask who runs the mail server`)]
  }
}

export const checkBlog = async ({ documents }: Engines, config: Config): Promise<readonly Finding[]> => {
  const say = found('blog')
  const url = await getBlogUrl(documents, { blogUrl: config.blogUrl ?? '' })
  if (url === '') return [say('hint', 'No blog is mirrored. Set its address in the dashboard, or BLOG_URL')]
  const safeFetch = openSafeFetch({ allowPrivate: config.fetchAllowPrivate })
  try {
    const { feedUrl } = await openBlogFeed(safeFetch).discover(url, AbortSignal.timeout(3 * patienceMs))
    const { error } = await getBlogSync(documents, null)
    if (error !== null) return [say('problem', `The blog answers, but its last sync failed: ${error}`)]
    return [say('ok', `The blog answers with its feed ${feedUrl}`)]
  } catch (error) {
    return [
      say('problem', `${reasonOf(error)} Look at ${url}, or change the blog's address in the dashboard`),
    ]
  } finally {
    await safeFetch.close()
  }
}

export const checkBackup = async (
  { effects }: Engines,
  { backupDir }: Config,
  now: Date,
): Promise<readonly Finding[]> => {
  const say = found('backup')
  const status = await readBackupStatus(effects)
  if (backupDir === null && status === null) {
    return [say('hint', 'No backup is made at night. Set BACKUP_DIR to a folder on another disk')]
  }
  const last = status?.finishedAt ?? null
  if (status !== null && status.error !== null) {
    const since = last === null ? 'None was finished yet' : `The last one was finished at ${last}`
    return [say('problem', `${since}, and the last time something was wrong: ${status.error}`)]
  }
  if (last === null) return [say('hint', 'No backup was made yet; the worker makes one within the day')]
  if (isFromFuture(last, now)) {
    return [say('problem', `The last backup is from ${last}, which is still to come. Set the clock (NTP)`)]
  }
  if (now.getTime() - Date.parse(last) > oldBackupMs) {
    return [
      say(
        'problem',
        `The last backup is from ${last}. Let the worker run at night, or run "atelier backup FILE"`,
      ),
    ]
  }
  return [say('ok', `The last backup is from ${last}`)]
}

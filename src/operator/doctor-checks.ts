import { lacksRoom } from '#application/kernel/outage.ts'
import { codeOf, isMissing, reasonOf, unlessMissing } from '#application/kernel/reason.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { access, constants, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { UnreadableEvents } from '#application/kernel/archive/unreadable-events.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { isReply } from '#infrastructure/cluster/redis/reply.ts'
import { askServers, clocksAhead } from '#infrastructure/cluster/ask-servers.ts'
import type { ServerKind } from '#infrastructure/cluster/greetings.ts'
import { Refused } from '#infrastructure/cluster/refused.ts'
import { isServer, named, ownWords, servers, whyAway } from '#infrastructure/cluster/why-away.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import { lastUnreadForwarding } from '#infrastructure/config/unread-forwarding.ts'
import { diskInWords, ofCode } from '#infrastructure/disk-words.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { unusableIn } from '#infrastructure/embedded/data-folder.ts'
import { ownFiles } from '#infrastructure/embedded/own-files.ts'
import { freeBytesAt } from '#infrastructure/free-bytes.ts'
import { checkMailServer } from '#infrastructure/mail/smtp.ts'
import { openSafeFetch } from '#infrastructure/safe-fetch/safe-fetch.ts'
import { listActivity } from '#projections/activity/queries.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import { getBlogUrl, getContactEmail } from '#projections/site-content/queries.ts'
import { checkJobs, checkViews } from './doctor-data.ts'
import { doesServerAnswer } from './command/control.ts'
import { type Finding, hint, ok, problem } from './finding.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { megabytes } from './command/show.ts'

/** Clocks of two machines differ a little; by more the log's times mislead. */
const clockToleranceMs = 60_000
/** A site on servers keeps nothing in DATA_DIR but what it works on just now: a few pictures. */
const leastTemporaryBytes = 100_000_000
/** So much is written for a look whether the disk takes it. */
const triedBytes = 65_536
const timeoutMs = 10_000
/** It answers commands at once, busy or not. */
const siteAnswersMs = 5_000

/** Why a check could not even be made, with what to do about it. */
export const inWords = (error: unknown): string => {
  const setting =
    error instanceof EngineAway && isServer(error.engine) ? servers[error.engine].setting : undefined
  const reason = reasonOf(diskInWords(error)).replace(/\.$/, '')
  return setting === undefined ? reason : `${reason}. Start that server, or mend ${setting}`
}

/** The first of the files below a folder that this user may not read, in words; null when there is none. */
const unreadableBelow = async (folder: string): Promise<string | null> => {
  for (const path of (await ownFiles(folder).catch(unlessMissing)) ?? []) {
    try {
      await access(path, constants.R_OK)
    } catch (error) {
      // Swept away since it was listed.
      if (!isMissing(error)) return inWords(error)
    }
  }
  return null
}

/** Why nothing can be kept in a folder whose disk has room by its own count and may be written, in words; null when something can. */
const whyNothingIsKept = async (folder: string): Promise<string | null> => {
  const path = join(folder, `.room-${randomUUID()}`)
  try {
    await writeFile(path, randomBytes(triedBytes), { flag: 'wx', mode: 0o600 })
    return null
  } catch (error) {
    return lacksRoom(error)
      ? `Nothing more can be kept where ${folder} lies, although it has room: as many files as the disk takes are there (df -i), ` +
          'or a quota is used up. Remove what is not needed, or have it raised'
      : (ofCode(codeOf(error), folder) ?? inWords(error))
  } finally {
    // What was left of it lies hidden, and is no part of the site.
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Whether the data folder can be worked on, and has room. */
export const checkDisk = async (config: Config): Promise<readonly Finding[]> => {
  const { dataDir } = config
  const isTemporary = isShared(config)
  const least = isTemporary ? leastTemporaryBytes : fieldLimits.leastFreeBytes
  const where = isTemporary ? `${dataDir} lies, for temporary files` : `${dataDir} lies`
  try {
    await access(dataDir)
    const unusable = unusableIn(dataDir) ?? (await unreadableBelow(join(dataDir, 'files')))
    if (unusable !== null) return problem('disk', unusable)
    const free = await freeBytesAt(dataDir)
    const full = isTemporary ? 'uploads' : 'uploads and writes'
    if (free < least)
      return problem(
        'disk',
        `Only ${megabytes(free)} are free where ${where}. Make room: ${full} fail when it is full`,
      )
    const nothing = await whyNothingIsKept(dataDir)
    return nothing === null
      ? ok('disk', `${megabytes(free)} are free where ${where}`)
      : problem('disk', nothing)
  } catch (error) {
    if (isMissing(error))
      return hint('disk', `${dataDir} is not there yet. The first start of the server makes it`)
    return problem('disk', inWords(error))
  }
}

/** Whether the site that runs on this folder, if one does, answers. */
export const checkSite = async (config: Config): Promise<readonly Finding[]> => {
  if (isShared(config) || (await doesServerAnswer(config.dataDir, siteAnswersMs)) !== false) return []
  return problem(
    'site',
    `The site that runs on ${config.dataDir} has not answered for ${siteAnswersMs / 1_000} s. See whether its process stands ` +
      'still or its disk does; if it does not go on by itself, start it again',
  )
}

/** Whether MongoDB's disk has room, where it tells. */
export const checkRoom = async (engines: Engines, config: Config): Promise<readonly Finding[]> => {
  if (config.mongodbUrl === null) return []
  const free = await engines.freeBytes()
  if (free === null || free >= fieldLimits.leastFreeBytes) return []
  return problem(
    'disk',
    `Only ${megabytes(free)} are free on the disk of MongoDB. Make room: uploads and writes fail when it is full`,
  )
}

/** Who else on this machine could read what must stay with its owner. */
export const checkModes = async ({ dataDir, backupDir }: Config): Promise<readonly Finding[]> => {
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
      const isInside = relative(dataDir, path).split(sep)[0] !== '..'
      const folder = isInside ? (await stat(dataDir)).mode : 0o777
      const readable = mode & folder & 0o077
      if (readable !== 0) {
        open.push(
          ...problem('secrets', `Others on this machine can read ${path}. Close it with: chmod 600 ${path}`),
        )
      }
    } catch (error) {
      if (!isMissing(error))
        open.push(...hint('secrets', `It cannot be seen who may read it: ${inWords(error)}`))
    }
  }
  return open.length > 0 ? open : ok('secrets', 'Only their owner can read the secret, the keys and the data')
}

/** What is wrong with a server that was asked, and what to do. */
const failureInWords = async (config: Config, kind: ServerKind, error: unknown): Promise<string> => {
  // One that answers may be a replica, or full: nobody can sign in then.
  if (error instanceof EngineAway && isReply(error.cause))
    return `${named(kind)} answers and takes nothing that is written: give it room, or make it writable (${error.cause.message})`
  // It answered, and refuses; or the address is none that its driver takes.
  if (error instanceof Refused) return error.message
  const cause = await whyAway(config, kind)
  if (cause !== null) return `${named(kind)} does not answer: start it, or mend its address (${cause})`
  return `${named(kind)}: ${ownWords(error)}`
}

/** The servers that the settings name, asked all at once: a problem for each that fails. */
export const checkServers = async (config: Config): Promise<readonly Finding[]> => {
  const failures = await askServers(config)
  const words = await Promise.all(failures.map(({ kind, error }) => failureInWords(config, kind, error)))
  return words.flatMap((each) => problem('engines', each))
}

/** That all engines are open, and which they are. */
const openedInWords = (config: Config): readonly Finding[] => {
  const of = (kind: ServerKind): string =>
    servers[kind].url(config) === null ? 'embedded' : servers[kind].server
  const kinds = [`log ${of('log')}`, `documents ${of('mongodb')}`, `jobs ${of('redis')}`].join(', ')
  return ok('engines', `All engines answer, and the data has the version of this program: ${kinds}`)
}

/** The engines and what is served from them. @param engines opened beside whatever runs, of servers that answer */
export const checkEngines = async (
  engines: Engines,
  config: Config,
  unreadable: UnreadableEvents | null,
): Promise<readonly Finding[]> => [
  ...openedInWords(config),
  ...(await checkViews(engines, unreadable)),
  ...(await checkJobs(engines)),
]

/** Whether a proxy stands in front that is not told of. A hint only: anybody can send the header that tells of one. */
export const checkProxy = async ({ effects }: Engines, config: Config): Promise<readonly Finding[]> => {
  if (config.trustProxy > 0) return []
  const last = await lastUnreadForwarding(effects)
  if (last === null) return []
  return hint(
    'proxy',
    `Requests came with X-Forwarded-For (last noted ${last.toISOString()}), and TRUST_PROXY is 0. Where a proxy stands in front, set TRUST_PROXY=1: until then all visitors count as one`,
  )
}

/** Whether messages by mail find the artist. */
export const checkContact = async (
  { documents }: Engines,
  { publicUrl, smtpUrl, mailTo }: Pick<Config, 'publicUrl' | 'smtpUrl' | 'mailTo'>,
): Promise<readonly Finding[]> => {
  const email = await getContactEmail(documents)
  if (email !== '') return ok('e-mail', `Visitors write to ${email}`)
  const seen = publicUrl?.startsWith('https:')
    ? 'Visitors find no e-mail address on the page, only the form'
    : 'The page shows a built-in e-mail address that nobody reads'
  const mailed = smtpUrl !== null && mailTo === null ? ': no letter is mailed until then' : ''
  return hint('e-mail', `${seen}. Save yours in the dashboard, under Contact Information${mailed}`)
}

/** What is said of servers whose clocks are not this machine's: the processes beside them may run on other machines. */
export const clocksInWords = (clocks: Awaited<ReturnType<typeof clocksAhead>>): readonly Finding[] =>
  clocks.flatMap(({ kind, aheadMs }) => {
    if (Math.abs(aheadMs) <= clockToleranceMs) return []
    const by = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
    return problem(
      'clock',
      `The clock of ${servers[kind].server} is ${by} this machine's. Set both (NTP): processes whose clocks differ refuse each ` +
        'other’s new sessions',
    )
  })

/** Whether this machine's clock can follow the log's, and is that of its servers. */
export const checkClock = async (
  { documents }: Engines,
  config: Config,
  now: Date,
): Promise<readonly Finding[]> => {
  const differing = clocksInWords(await clocksAhead(config))
  if (differing.length > 0) return differing
  const [newest] = (await listActivity(documents, { limit: 1 })).items
  const ahead = newest === undefined ? 0 : Date.parse(newest.at) - now.getTime()
  if (ahead <= clockToleranceMs) return ok('clock', `It is ${now.toISOString()}`)
  return problem(
    'clock',
    `The newest event is from ${newest?.at}, later than this machine's ${now.toISOString()}. Set the clock (NTP); where it is ` +
      'right, it ran ahead as that was written, and this ends with the next change',
  )
}

export const checkMail = async (config: Config): Promise<readonly Finding[]> => {
  if (config.smtpUrl === null) {
    return hint(
      'mail',
      'Enquiries are not mailed; they stand in the dashboard. Set SMTP_URL and MAIL_FROM to get mail',
    )
  }
  try {
    await checkMailServer(config.smtpUrl)
    return ok('mail', 'The mail server accepts the connection')
  } catch (error) {
    return problem('mail', `${reasonOf(error)}. Mend SMTP_URL, or ask who runs the mail server`)
  }
}

/** How a sync that has begun stands: it may wait, for as long as the site cannot go on with it. */
const syncInWords = async (jobs: Engines['jobs']): Promise<string> => {
  const [waits] = (await jobs.list({ states: ['waiting'], limit: 1_000 })).filter(
    ({ name }) => name === 'sync-blog',
  )
  if (waits === undefined) return 'The blog answers, and is being mirrored'
  const why = waits.reason === null ? '' : ` (${waits.reason.replace(/\.$/, '')})`
  return `The blog answers, and a sync that has begun waits to be gone on with by the server${why}`
}

/** Whether the blog can be mirrored, and how that went last. */
export const checkBlog = async (
  { documents, jobs }: Engines,
  config: Config,
): Promise<readonly Finding[]> => {
  const url = await getBlogUrl(documents, { blogUrl: config.blogUrl ?? '' })
  if (url === '') return hint('blog', 'No blog is mirrored. Set its address in the dashboard, or BLOG_URL')
  const safeFetch = openSafeFetch({ allowPrivate: config.fetchAllowPrivate })
  try {
    const { feedUrl } = await openBlogFeed(safeFetch).discover(url, AbortSignal.timeout(3 * timeoutMs))
    const { running, error } = await getBlogSync(documents, null)
    // How the last run ended says nothing of the one that goes on.
    if (running) return ok('blog', await syncInWords(jobs))
    if (error !== null) return problem('blog', `The blog answers, but its last sync failed: ${error}`)
    return ok('blog', `The blog answers with its feed ${feedUrl}`)
  } catch (error) {
    return problem('blog', `${reasonOf(error)} Look at ${url}, or change the blog's address in the dashboard`)
  } finally {
    await safeFetch.close()
  }
}

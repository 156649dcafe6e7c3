import { neededOriginals } from '#application/images/lacking.ts'
import { lackingFiles } from '#application/kernel/archive/needed-files.ts'
import { lostKeys, returnedKeys, surveyKeys } from '#application/kernel/archive/needed-keys.ts'
import { type UnreadableEvents, unreadableWithAdvice } from '#application/kernel/archive/unreadable-events.ts'
import { isImageJob } from '#application/job-data.ts'
import { CodecError } from '#application/kernel/codec.ts'
import type { Accounts } from '#application/kernel/ports/accounts.ts'
import type { DocumentQuery, StoredDocument, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import type { Passwords } from '#application/kernel/ports/passwords.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { keysAdvice, returnedAdvice } from '#infrastructure/archive/backup.ts'
import { refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import { idsIn } from '#infrastructure/archive/keys-file.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { lostLog } from '#infrastructure/lost-log.ts'
import { lostJobs } from '#jobs/lost-jobs.ts'
import { findImage } from '#projections/images/queries.ts'
import { allProjections } from '#projections/all-projections.ts'
import { astrayInWords, beyondLog, placesAstray } from '#projections/runtime/astray.ts'
import { laggingSeconds, measureLag, placesNow } from '#projections/runtime/lag.ts'
import { closedMessages } from '#projections/messages/queries.ts'
import type { ViewDocument } from '#projections/runtime/projection.ts'
import { counted } from '#domain/list-in-words.ts'
import { type Finding, hint, ok, problem } from './finding.ts'
import { parkedInWords } from './parked-events.ts'

/** So many jobs that failed for good are named one by one. */
const namedJobs = 10
/** So many messages. */
const namedMessages = 10

/** Whether every page of the data file can be read, also those that nobody has asked for yet. */
export const checkDataFile = async (
  engines: Pick<Engines, 'damageAnywhere'>,
): Promise<readonly Finding[]> => {
  const words = engines.damageAnywhere()
  return words === null ? [] : problem('engines', words)
}

/**
 * Whether the log is as long as it once was, and every event in it can be read.
 * @param foreign what is said of other programs' events once the reading is done
 */
export const checkLog = async (
  engines: Engines,
  config: Config,
  reading: Promise<UnreadableEvents | null>,
  foreign: () => string,
): Promise<readonly Finding[]> => {
  await refuseHalfFilled(engines.effects)
  const lost = await lostLog(engines, config)
  const unreadable = await reading
  return [
    ...(lost === null ? [] : problem('log', lost)),
    ...(unreadable === null ? [] : problem('log', unreadableWithAdvice(unreadable))),
    ...(foreign() === '' ? [] : hint('log', foreign())),
  ]
}

type FirstAccount = Pick<Config, 'adminUsername' | 'adminPassword'>
interface AccountEngines {
  readonly accounts: Pick<Accounts, 'count' | 'findByUsername'>
  readonly eventStore: Pick<Engines['eventStore'], 'head'>
}

/** Whether the first account still has the password of the settings, and that is one that others know. */
const hasCommonPassword = async (
  accounts: Pick<Accounts, 'findByUsername'>,
  { adminUsername, adminPassword }: FirstAccount,
  passwords: Pick<Passwords, 'isCommon' | 'verify'>,
): Promise<boolean> => {
  if (adminPassword === null || !(await passwords.isCommon(adminPassword))) return false
  const account = await accounts.findByUsername(adminUsername)
  return account !== null && passwords.verify(account.passwordHash, adminPassword, 'known')
}

/** Whether she can sign in, and not everybody. */
export const checkAccounts = async (
  { accounts, eventStore }: AccountEngines,
  first: FirstAccount,
  passwords: Pick<Passwords, 'isCommon' | 'verify'>,
): Promise<readonly Finding[]> => {
  if ((await accounts.count()) > 0)
    return (await hasCommonPassword(accounts, first, passwords))
      ? problem(
          'accounts',
          'The password in use is that of ADMIN_PASSWORD, which is among the most common ones: anybody may sign in. ' +
            'Choose another one by "atelier admin set-password"',
        )
      : []
  if ((await eventStore.head()) === null) return []
  const words =
    'There is no account, and nobody can sign in. Bring it back with a copy or a backup, or start the server ' +
    'again: it makes the first one from ADMIN_USERNAME and ADMIN_PASSWORD'
  return problem('accounts', words)
}

const codecError = (error: unknown): CodecError => {
  if (error instanceof CodecError) return error
  throw error
}

/** Whether every original is there that the log needs, as long as it was: reading them all is for a backup. */
export const checkOriginals = async ({ eventStore, files }: Engines): Promise<readonly Finding[]> => {
  const needed = await neededOriginals.of(eventStore, new AbortController().signal).catch(codecError)
  if (needed instanceof CodecError)
    return problem(
      'pictures',
      'Which pictures are needed is not known, as an event of the log cannot be read',
    )
  const lacking = await lackingFiles(needed, async (key) => {
    const bytes = await files.readableBytes(key)
    return bytes === null ? null : { bytes }
  })
  const words = neededOriginals.inWords(lacking)
  if (words === '') return []
  const advice = 'Bring them back from a backup or a copy, or upload the same pictures again'
  return problem('pictures', `${words}. ${advice}`)
}

const closedAdvice =
  'Their text was changed, or their keys are those of another site. Restore a backup that "atelier backup check" finds ' +
  'whole, with its own keys file, into an empty place'

/** Whether every message that was not erased has its key, which opens it, and none that was. */
export const checkMessages = async ({
  eventStore,
  keyVault,
  documents,
}: Engines): Promise<readonly Finding[]> => {
  const { signal } = new AbortController()
  const ofLog = await surveyKeys(neededMessageKeys, eventStore, signal, await eventStore.head())
  const vault = await keyVault.takeOut()
  const closed = await closedMessages(
    { documents, keyVault },
    new Set(vault.keys.map((key) => key.subjectId)),
  )
  const named = closed.slice(0, namedMessages).join(', ')
  const findings = [
    [
      closed.length === 0
        ? ''
        : `${counted(closed.length, 'letter')} cannot be opened by the key that is there (${named})`,
      closedAdvice,
    ],
    [neededMessageKeys.inWords(lostKeys(ofLog.open, idsIn(vault))), keysAdvice],
    [neededMessageKeys.returnedInWords(returnedKeys(ofLog, vault).length), returnedAdvice],
  ] as const
  return findings.flatMap(([words, advice]) =>
    words === '' ? [] : problem('letters', `${words}. ${advice}`),
  )
}

/** The one that says it is furthest. */
const furthest = (places: readonly (readonly [string, Position])[]): ReadonlyMap<string, Position> =>
  new Map(places.toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, 1))

/** So many documents of a view are read at once: all that a blog has brought in years would fill the memory. */
const pageOfDocuments = 100

/** Goes through the documents of a view: the one that says it is furthest, and the ids of those that cannot be read. */
export const lookThrough = async (
  documents: Pick<Engines['documents'], 'findStored'>,
  view: ViewDefinition,
) => {
  let newest: ReadonlyMap<string, Position> = new Map()
  const bad: string[] = []
  for (let after: string | null = null; ; ) {
    const query: DocumentQuery = { limit: pageOfDocuments, ...(after === null ? {} : { after: [after] }) }
    const page: readonly StoredDocument<ViewDocument>[] = await documents.findStored<ViewDocument>(
      view,
      query,
    )
    const places = page.flatMap(({ id, document }) =>
      // The stamp was a position before it became a field of the document.
      document === null ? [] : [[`${view.name} ${id}`, document.position as Position] as const],
    )
    bad.push(...page.flatMap(({ id, document }) => (document === null ? [id] : [])))
    newest = furthest([...newest, ...places])
    const last = page.at(-1)
    if (last === undefined || page.length < pageOfDocuments) return { newest, bad }
    after = last.id
  }
}

/** Whether what is served is what the log says. */
export const checkViews = async (
  engines: Engines,
  unreadable: UnreadableEvents | null,
): Promise<readonly Finding[]> => {
  const places = await placesNow(
    engines.documents,
    allProjections.map(({ view }) => view),
  )
  const lag = await measureLag(engines, places)
  const findings: Finding[] = []
  if (lag.parked > 0) findings.push(...problem('views', parkedInWords(lag.parked, unreadable)))
  if (lag.seconds >= laggingSeconds) {
    const late = `What is served is ${counted(lag.events, 'event')} and ${Math.round(lag.seconds)} s behind the log`
    findings.push(
      ...problem('views', `${late}. Start the server, or look into the log of the one that projects`),
    )
  }
  const astray = await placesAstray({ ...engines, projections: allProjections })
  if (astray.size > 0) findings.push(...problem('views', astrayInWords(astray)))
  for (const { view, position } of places) {
    // Nothing was ever served from it: the next start makes it.
    if (position === null) continue
    const { newest, bad } = await lookThrough(engines.documents, view)
    const ahead = astray.has(view.name) ? new Map() : await beyondLog(engines.eventStore, newest)
    if (ahead.size > 0) findings.push(...problem('views', astrayInWords(ahead)))
    if (bad.length === 0) continue
    const ids = bad.slice(0, namedJobs).join(', ')
    const what = `${bad.length} of ${view.name} cannot be read and are left out (${ids})`
    findings.push(...problem('views', `${what}. Run "atelier projections rebuild ${view.name}"`))
  }
  return findings.length > 0 ? findings : ok('views', 'What is served is what the log says')
}

/** Work that is tried again for as long as the site cannot do it looks from outside as if it were still under way. */
const checkWaitingJobs = async (jobs: Engines['jobs']): Promise<readonly Finding[]> => {
  const waiting = await jobs.list({ states: ['waiting'], limit: 1_000 })
  const failed = waiting.filter(({ reason }) => reason !== null)
  const [first] = failed
  if (first === undefined) return ok('jobs', 'No background work has failed for good')
  const each = `${first.name} (${first.reason?.replace(/\.$/, '')})`
  const count = failed.length === 1 ? '1 job waits' : `${failed.length} jobs wait`
  return hint(
    'jobs',
    `${count} to be tried again, the newest of them ${each}: "atelier jobs list" has all, "atelier jobs retry" does not wait`,
  )
}

/** Whether a picture that a job was to make is there all the same, as once it was made anew by another. */
const isMadeSince = async (
  { name, subjectId }: Pick<JobView, 'name' | 'subjectId'>,
  documents: Engines['documents'],
): Promise<boolean> => {
  const image = isImageJob(name) ? await findImage(documents, subjectId) : null
  return image !== null && image.ready && image.failure === null
}

/** Whether work in the background failed for good, or waits because it failed. */
export const checkJobs = async ({
  jobs,
  documents,
}: Pick<Engines, 'jobs' | 'documents'>): Promise<readonly Finding[]> => {
  const parked = await jobs.list({ states: ['parked'], limit: 1_000 })
  if (parked.length === 0) return checkWaitingJobs(jobs)
  const rest = parked.length > namedJobs ? ` (one of ${parked.length}: "atelier jobs list" has all)` : ''
  const findings = parked.slice(0, namedJobs).map(async (job) => {
    const { id, name, subjectId, reason } = job
    const why = (reason ?? 'it is not known why').replace(/\.$/, '')
    const again = `"atelier jobs retry ${id}" or Try again in the dashboard`
    if (await isMadeSince(job, documents))
      return hint(
        'jobs',
        `The picture ${subjectId} has its sizes; a job that was to make them failed for good (${why}): ${again} does it once more${rest}`,
      )
    return problem('jobs', `${name} failed for good: ${why}. Mend that, then ${again}${rest}`)
  })
  return (await Promise.all(findings)).flat()
}

/** Whether somebody waits for work that no job does any more, as after the job queue was emptied. */
export const checkLostJobs = async (engines: Engines): Promise<readonly Finding[]> => {
  const lost = await lostJobs(engines, new AbortController().signal)
  const advice =
    'Start the worker, which queues it again when the job queue was lost, or run "atelier jobs resume"'
  const findings = lost.slice(0, namedJobs).map(async ({ name, data }) => {
    const [id = ''] = Object.values(data)
    const rest = lost.length > namedJobs ? ` (one of ${lost.length})` : ''
    // Also where a former version made them, which did not note it when they were the same.
    if (await isMadeSince({ name, subjectId: id }, engines.documents))
      return hint(
        'jobs',
        `The sizes of the picture ${id} were to be made anew, and no job is there for it: those that it has are shown. ${advice}${rest}`,
      )
    const what = isImageJob(name)
      ? `The picture ${id} was uploaded and its sizes were never made`
      : `The message ${id} was received and never mailed`
    return problem('jobs', `${what}, and no job is there for it. ${advice}${rest}`)
  })
  return (await Promise.all(findings)).flat()
}

import {
  type UnreadableEvents,
  unreadableIn,
  unreadableWithAdvice,
} from '#application/kernel/archive/unreadable-events.ts'
import { Refusal } from '#domain/refusal.ts'
import { isShared } from '#infrastructure/config/config.ts'
import { findLoss } from '#infrastructure/lost-log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { astrayInWords, placesAstray } from '#projections/runtime/astray.ts'
import type { Difference } from '#projections/runtime/compare.ts'
import { measureLag, placesNow } from '#projections/runtime/lag.ts'
import { leadersOf } from '#projections/view-leases.ts'
import type {
  BuildFor,
  BuildOptions,
  BuildProgress,
  BuildReport,
  ViewReport,
} from '#projections/runtime/rebuild.ts'
import { signsOfLife } from './at-work.ts'
import { counted } from '#domain/list-in-words.ts'
import { eventsOnTheWay } from './command/show.ts'
import { parkedInWords } from './parked-events.ts'
import type {
  Args,
  CommandGroup,
  EnginePorts,
  Operation,
  Progress,
  ProjectorPorts,
  Run,
  Task,
} from './command/operation.ts'

const names = allProjections.map(({ view }) => view.name)

/** A living leader gives a sign within this time, in ms. */
const signWithin = 2_500

/** Who leads each view, in words; none where one process has all of them for itself. */
const leadersInWords = async (
  { engines, config }: EnginePorts,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  if (!isShared(config)) return new Map()
  const { held, living } = await signsOfLife(
    () => leadersOf(engines.leases),
    { signWithin, look: 500 },
    (seen) => [...seen.held.keys()].every((name) => seen.living.has(name)),
    signal,
  )
  return new Map(
    names.map((name) => {
      const leader = held.get(name)
      if (leader === undefined) return [name, 'led by nobody']
      return [name, `led by ${leader.holder}${living.has(name) ? '' : ', which is silent'}`]
    }),
  )
}

const unreadableNow = async (
  { eventStore }: EnginePorts['engines'],
  signal: AbortSignal,
): Promise<UnreadableEvents | null> => unreadableIn(eventStore, await eventStore.head(), { signal })

const status: Operation = {
  name: 'projections status',
  needs: 'engines to read',
  run: async (ports, _args, { signal }) => {
    const { engines, config } = ports
    const leaders = await leadersInWords(ports, signal)
    const views = allProjections.map(({ view }) => view)
    const lag = await measureLag(engines, await placesNow(engines.documents, views))
    const lines = lag.views.map(
      (each) =>
        `${each.view.padEnd(14)} version ${String(each.version).padEnd(3)} at ${(each.position ?? '-').padEnd(16)} ` +
        [
          `${counted(each.events, 'event')}, ${Math.round(each.seconds)} s behind, ${each.parked} parked`,
          ...(leaders.has(each.view) ? [leaders.get(each.view)] : []),
        ].join(', '),
    )
    if (lag.parked > 0) {
      const unreadable = await unreadableNow(engines, signal)
      lines.push(`${parkedInWords(lag.parked, unreadable)}.`)
      if (unreadable !== null) lines.push(`${unreadableWithAdvice(unreadable)}.`)
    }
    const lost = (await findLoss(engines, config))?.words ?? null
    if (lost !== null) lines.push(`${lost}.`)
    const astray = await placesAstray({ ...engines, projections: allProjections })
    if (astray.size > 0) lines.push(`${astrayInWords(astray)}.`)
    return {
      ok: lag.parked === 0 && lost === null && astray.size === 0,
      message: lines.join('\n'),
      data: { ...lag, lost, astray: Object.fromEntries(astray), leaders: Object.fromEntries(leaders) },
    }
  },
}

/** The views named in the arguments. @throws {Refusal} for a name that no view has */
const viewsOf = (args: Args): readonly string[] => {
  const asked = (args['views'] ?? '').split(',').filter((name) => name !== '')
  for (const name of asked) {
    if (!names.includes(name)) {
      throw new Refusal('missing', `There is no view ${name}. The views are ${names.join(', ')}`)
    }
  }
  return asked
}

/** Where processes divide the views each is built by itself: then it is named. */
export const buildInWords = (progress: BuildProgress): Progress => {
  const { views, done } = progress
  const one = views.length === 1 ? (views[0] ?? null) : null
  return progress.phase === 'replaying'
    ? {
        what: `Replaying the log${one === null ? '' : ` into ${one}`}`,
        done,
        total: null,
        unit: eventsOnTheWay(progress.share),
      }
    : {
        what: `Comparing ${one === null ? '' : `${one} `}with what is served`,
        done,
        total: progress.total,
        unit: 'documents',
      }
}

const build = async (ports: ProjectorPorts, what: BuildFor, args: Args, task: Task): Promise<BuildReport> => {
  const options: BuildOptions = {
    views: viewsOf(args),
    fresh: args['fresh'] === 'true',
    signal: task.signal,
    onProgress: (progress) => task.progress(buildInWords(progress)),
  }
  return ports.build(what, options)
}

const inWords = ({ view, id, kind, fields }: Difference): string => {
  if (kind === 'missing') return `  ${view} ${id}: is missing`
  if (kind === 'surplus') return `  ${view} ${id}: is served, but the log does not have it`
  if (Object.keys(fields).length === 0) return `  ${view} ${id}: what is stored cannot be read`
  const each = Object.entries(fields).map(
    ([name, { served, log }]) => `${name} is ${JSON.stringify(served)}, by the log ${JSON.stringify(log)}`,
  )
  return `  ${view} ${id}: ${each.join('; ')}`
}

const linesOf = (report: ViewReport): readonly string[] => {
  const { differences, parked } = report
  const found = differences.length === 0 ? 'as the log says' : `${differences.length} documents differ`
  return [
    `${report.view.padEnd(14)} ${report.documents} documents compared, ${found}${parked.length === 0 ? '' : `, ${counted(parked.length, 'event')} parked`}`,
    ...(report.astray === undefined
      ? []
      : [`  it stood at ${report.astray}, where this log has never been: no start goes on from there`]),
    ...differences.map(inWords),
    ...parked.map((event) => `  ${event.type} in ${event.stream} could not be projected: ${event.reason}`),
  ]
}

/** What to do about views that are not as they should be. */
const adviceOn = async (
  engines: ProjectorPorts['engines'],
  wrong: readonly ViewReport[],
  { signal }: Task,
): Promise<string> => {
  // Also where none is parked: of a type that has rotted no view hears.
  const unreadable = await unreadableNow(engines, signal)
  return unreadable === null
    ? `"atelier projections rebuild ${wrong.map(({ view }) => view).join(' ')}" builds them anew.`
    : `${unreadableWithAdvice(unreadable)}.`
}

const verify: Operation = {
  name: 'projections verify',
  needs: 'projector',
  run: async (ports, args, task) => {
    const report = await build(ports, 'verify', args, task)
    const wrong = report.views.filter(
      ({ differences, parked, astray }) => differences.length + parked.length > 0 || astray !== undefined,
    )
    const lines = report.views.flatMap(linesOf)
    if (wrong.length > 0) lines.push(await adviceOn(ports.engines, wrong, task))
    return { ok: wrong.length === 0, message: lines.join('\n'), data: report }
  },
}

/** All of them, from the first event on. */
const buildsAllAnew = (args: Args): boolean => args['fresh'] === 'true' && (args['views'] ?? '') === ''

const rebuild: Operation = {
  name: 'projections rebuild',
  needs: 'projector',
  takesOlderLog: buildsAllAnew,
  run: async (ports, args, task) => {
    const loss = buildsAllAnew(args) ? await findLoss(ports.engines, ports.config) : null
    if (loss?.isOlderCopy === true) {
      // What runs has states, places and jobs of events that are gone.
      throw new Refusal(
        'blocked',
        'The log ends before the place that it had reached, and processes run on it. Stop them all, then ask again: ' +
          'only then can it be taken as it is',
      )
    }
    const report = await build(ports, 'rebuild', args, task)
    const lines = [
      ...report.views.flatMap(linesOf),
      report.switched
        ? `Rebuilt from ${counted(report.events, 'event')}; what was built is served now.`
        : 'Nothing was switched: the program cannot take in events that are served already. Mend it first.',
    ]
    return { ok: report.switched, message: lines.join('\n'), data: report }
  },
}

const askFor =
  (run: Run, operation: Operation) =>
  (views: readonly string[], { all, fresh = false }: { readonly all: boolean; readonly fresh?: boolean }) =>
    run(operation, { views: all ? '' : views.join(','), fresh: String(fresh) })

export const projections: CommandGroup = {
  operations: [status, rebuild, verify],
  commands: (program, run) => {
    const which = program.createArgument('[views...]', 'all when none is named').choices(names)
    const group = program.command('projections').description('What is served, made from the log')
    group
      .command('status')
      .description('how far each view is behind the log, and what it had to park')
      .action(() => run(status))
    group
      .command('rebuild')
      .description('build views anew beside the live ones, compare, then switch; the site goes on meanwhile')
      .addArgument(which)
      .option('--all', 'all of them', false)
      .option('--fresh', 'begin anew instead of going on where a rebuild was broken off', false)
      .action(askFor(run, rebuild))
    group
      .command('verify')
      .description('build views in a scratch place and report every difference to what is served')
      .addArgument(which)
      .option('--all', 'all of them', false)
      .action(askFor(run, verify))
  },
}

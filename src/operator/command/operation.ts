import type { Command } from 'commander'
import type { Application } from '#application/application.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import type { Build } from '#projections/runtime/rebuild.ts'
import { randomUUID } from 'node:crypto'
import { type CommandContext, ownContext } from '#application/kernel/envelope.ts'
import { Refusal } from '#domain/refusal.ts'

/*
 * Adding a command: one file beside this one that makes its operations and exports a `CommandGroup`, and one
 * line in `groups.ts`. An operation says what it needs; where it runs follows from that.
 */

/** How far long work has come; rate and remaining time are worked out where it is shown. */
export interface Progress {
  /** what is done at the moment, for people: "Replaying the log" */
  readonly what: string
  readonly done: number
  /** null while nobody knows */
  readonly total: number | null
  /** what is counted, in the plural: "events"; empty where nothing is */
  readonly unit: string
}

/** What long work gets beside its arguments. */
export interface Task {
  /** aborted by Ctrl-C, or when the one who asked has gone: end soon and leave things whole */
  readonly signal: AbortSignal
  /** May be called as often as one likes; what is shown of it is thinned out. */
  readonly progress: (progress: Progress) => void
}

/** For every operation. */
export interface SettingsPorts {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

export interface EnginePorts extends SettingsPorts {
  readonly engines: Engines
}

/** With the application on the engines: the running server's own, or opened for the operation alone. */
export interface SitePorts extends EnginePorts {
  readonly app: Application
  /** Whether somebody runs background jobs at the moment. */
  readonly runsJobs: () => Promise<boolean>
  /** Whether somebody keeps the views up to date at the moment. */
  readonly projects: (signal: AbortSignal) => Promise<boolean>
}

/** With what builds views: the projector of the running server, or one started for the operation alone. */
export interface ProjectorPorts extends EnginePorts {
  readonly build: Build
}

/** Arguments are JSON, for they may pass a socket. */
export type Args = Readonly<Record<string, string>>

/** What came of it. `ok: false`: it was done and has found a problem, exit 1. `data` is for `--json`. */
export interface Result {
  readonly ok?: boolean
  readonly message: string
  readonly data?: unknown
  /** standard output was what was asked for: words and JSON go to standard error */
  readonly tookOutput?: boolean
}

/** Where a site lives, which is only read, and the place that it goes to. */
export interface MovePorts extends SettingsPorts {
  readonly from: Engines
  readonly to: Engines
}

type Doing<Ports> = (ports: Ports, args: Args, task: Task) => Promise<Result>

/**
 * One thing an operator can have done, by what it needs:
 * - `site`: it writes or rebuilds. Handed to the running server; with none running the command opens everything
 *   for itself, under the server's lock. On shared servers nothing is locked and the command does it.
 * - `engines`: as `site`, but it needs nothing of the log and is done while that is away, too.
 * - `projector`: it rebuilds. Done by the process that projects, wherever that is.
 * - `engines to read`: it only reads, but that a backup on servers erases again what must be gone. Always run by the
 *   command, beside a server or without one; it may use standard output.
 * - `engines alone`: it may run only while no server does (`restore`); run by the command under the lock, without
 *   a projector.
 * - `both sides`: it moves a site between the data folder and the servers; no server may run on either.
 * - `settings`: it opens what it needs by itself.
 */
export type Operation = { readonly name: string } & (
  | { readonly needs: 'site'; readonly run: Doing<SitePorts> }
  | {
      readonly needs: 'projector'
      readonly run: Doing<ProjectorPorts>
      /** Whether, asked so, it goes on with a log that is an older copy of what it was; absent: never. */
      readonly takesOlderLog?: (args: Args) => boolean
    }
  | { readonly needs: 'engines' | 'engines to read' | 'engines alone'; readonly run: Doing<EnginePorts> }
  | {
      readonly needs: 'both sides'
      /** Which way it goes, asked so. */
      readonly direction: (args: Args) => 'servers' | 'folder'
      readonly run: Doing<MovePorts>
    }
  | { readonly needs: 'settings'; readonly run: Doing<SettingsPorts> }
)

/** Has an operation done, shows its progress and result, and sets the exit code. */
export type Run = (operation: Operation, args?: Args) => Promise<void>

/** The commands of one subject: `atelier jobs …`. */
export interface CommandGroup {
  readonly operations: readonly Operation[]
  /** Adds the group's commands, their arguments and their help to the program. */
  readonly commands: (program: Command, run: Run) => void
}

/** An argument that must be there. @throws {Refusal} in words when it is not */
export const given = (args: Args, name: string): string => {
  const value = args[name]
  if (value === undefined || value === '') throw new Refusal('invalid', `${name} is missing`)
  return value
}

/** The context of a command that an operator's operation sends. */
export const operatorContext = (name: string, now: Date): CommandContext =>
  ownContext(name, randomUUID(), now)

/** Local files that are being worked on. Nothing in it outlives the process. */
export interface Scratch {
  /** A path at which a new file of this name can be made. @throws {EngineAway} while its disk is away */
  readonly path: (name: string) => Promise<string>
  /** Makes an empty folder of this name and answers its path. @throws {DiskFull} when there is no room for work */
  readonly folder: (name: string) => Promise<string>
  /** Removes a file or folder; a missing one is no error. */
  readonly remove: (path: string) => Promise<void>
}

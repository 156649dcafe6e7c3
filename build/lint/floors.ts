/**
 * The floor table: which room may use which rooms and which packages. The lint rule `house/floors` reads it,
 * ARCHITECTURE.md draws it. Rooms are folders below `src`; a file directly in `src` is the room `top`.
 */
type Room = {
  /** Folder below `src`, or `top` for src/main.ts and src/cli.ts. */
  readonly name: string
  /** Rooms on lower floors that it may use; its own room is always allowed. */
  readonly rooms: readonly string[]
  /** Packages it may use; `any` means every package that no fence keeps elsewhere. */
  readonly packages: 'any' | readonly string[]
  /** what to do where it would use another one, unless that is what all rooms do */
  readonly instead?: string
}

const client = ['react', 'react-dom', 'radix-ui', 'zod', '@tanstack/', '@tiptap/', 'schema-dts']

const rooms: readonly Room[] = [
  { name: 'domain', rooms: [], packages: ['zod'] },
  { name: 'application', rooms: ['domain'], packages: ['zod', 'node:crypto'] },
  { name: 'projections', rooms: ['application', 'domain'], packages: 'any' },
  { name: 'jobs', rooms: ['application', 'domain'], packages: 'any' },
  { name: 'infrastructure', rooms: ['application', 'domain'], packages: 'any' },
  { name: 'web/contract', rooms: ['domain'], packages: ['zod'] },
  {
    name: 'web/server',
    rooms: ['application', 'projections', 'web/contract'],
    packages: 'any',
    instead: 'have it handed in, or, of the domain, named by the contract',
  },
  {
    name: 'web/client',
    rooms: ['web/contract'],
    packages: client,
    instead: 'ask the server by a call, or have what it needs of the domain named by the contract',
  },
  {
    name: 'operator',
    rooms: ['domain', 'application', 'projections', 'jobs', 'infrastructure'],
    packages: 'any',
  },
  {
    name: 'composition',
    rooms: [
      'domain',
      'application',
      'projections',
      'jobs',
      'infrastructure',
      'operator',
      'web/contract',
      'web/server',
    ],
    packages: 'any',
  },
  { name: 'top', rooms: ['composition', 'operator', 'infrastructure', 'application'], packages: 'any' },
]

/**
 * The machine: what any event-sourced site would need. It knows no module of the gallery, but for five tables in
 * which the gallery stands before it: its events, its jobs, what its lists are called, its calls and the ports of its use cases.
 */
const machine: readonly string[] = [
  'domain/decider.ts',
  'domain/event.ts',
  'domain/list-in-words.ts',
  'domain/machine-limits.ts',
  'domain/refusal.ts',
  'application/kernel/',
  'projections/runtime/',
  'jobs/runtime/',
  ...[
    'apart',
    'archive',
    'cluster',
    'config',
    'embedded',
    'key-vault',
    'log',
    'metrics',
    'passwords',
    'safe-fetch',
    'scratch',
    'telemetry',
  ].map((folder) => `infrastructure/${folder}/`),
  'operator/command/',
  'web/server/door/',
  'web/server/call/',
  'web/server/live/',
]
const tables: readonly string[] = [
  'domain/events.ts',
  'application/job-data.ts',
  'application/application.ts',
  'projections/models.ts',
  'web/contract/calls.ts',
  // What calls of any module have in common.
  ...['call', 'changes', 'colors', 'errors', 'escape', 'limits'].map((name) => `web/contract/${name}.ts`),
]

/** Whether a path below `src` belongs to the machine; files beside the folders of infrastructure do. */
export const isMachine = (path: string): boolean =>
  machine.some((each) => path === each || (each.endsWith('/') && path.startsWith(each))) ||
  /^infrastructure\/[^/]+$/.test(path)

/** Tests, and what tests share, stay on their floor but may use any tool and any zone of it. */
const isForTests = (file: string): boolean => /\.unit\.test\.tsx?$|\/testing\//.test(file)

/** The rest of the application: what every use case stands on. */
const forUseCases = ['kernel', 'ports', 'application.ts']
/** The machine of the server, which every module's routes are mounted on, and what they are handed. */
const forRoutes = ['door', 'call', 'deps.ts']

/**
 * The zones of a room, and what each may use beside itself: its folders, and the files beside them that put zones together
 * (the table of events, the routes, an entry) or are handed to some. The client's dashboard is not downloaded by visitors:
 * the page reaches it by `import()` alone.
 */
const zones: Readonly<
  Record<
    string,
    Readonly<Record<string, { readonly uses: readonly string[]; readonly later?: readonly string[] }>>
  >
> = {
  domain: {
    images: { uses: [] },
    journal: { uses: [] },
    messages: { uses: [] },
    'site-content': { uses: [] },
    taxonomy: { uses: [] },
    artworks: { uses: ['images'] },
    'events.ts': { uses: ['images', 'journal', 'messages', 'site-content', 'taxonomy', 'artworks'] },
  },
  projections: {
    runtime: { uses: [] },
    activity: { uses: ['runtime'] },
    images: { uses: ['runtime'] },
    journal: { uses: ['runtime'] },
    'site-content': { uses: ['runtime'] },
    artworks: { uses: ['runtime', 'images'] },
    messages: { uses: ['runtime', 'artworks'] },
    taxonomy: { uses: ['runtime', 'artworks'] },
    'all-projections.ts': {
      uses: ['runtime', 'activity', 'images', 'journal', 'site-content', 'artworks', 'messages', 'taxonomy'],
    },
    'view-leases.ts': { uses: ['runtime', 'all-projections.ts'] },
  },
  'web/server': {
    door: { uses: [] },
    call: { uses: ['door'] },
    live: { uses: forRoutes },
    pages: { uses: ['door'] },
    'deps.ts': { uses: ['door', 'pages'] },
    activity: { uses: forRoutes },
    artworks: { uses: forRoutes },
    images: { uses: forRoutes },
    journal: { uses: forRoutes },
    messages: { uses: forRoutes },
    'site-content': { uses: forRoutes },
    taxonomy: { uses: forRoutes },
    accounts: { uses: [...forRoutes, 'live'] },
    'routes.ts': {
      uses: [
        ...forRoutes,
        'live',
        'activity',
        'artworks',
        'images',
        'journal',
        'messages',
        'site-content',
        'taxonomy',
        'accounts',
      ],
    },
    'app.ts': { uses: [...forRoutes, 'live', 'images', 'routes.ts'] },
  },
  application: {
    'job-data.ts': { uses: [] },
    kernel: { uses: ['job-data.ts'] },
    ports: { uses: ['kernel'] },
    'application.ts': { uses: ['kernel', 'ports'] },
    accounts: { uses: forUseCases },
    jobs: { uses: forUseCases },
    messages: { uses: forUseCases },
    taxonomy: { uses: forUseCases },
    images: { uses: forUseCases },
    activity: { uses: [...forUseCases, 'images', 'taxonomy'] },
    journal: { uses: [...forUseCases, 'images'] },
    'site-content': { uses: [...forUseCases, 'images'] },
    artworks: { uses: [...forUseCases, 'images', 'taxonomy'] },
    samples: { uses: [...forUseCases, 'images', 'taxonomy', 'site-content', 'artworks', 'journal'] },
  },
  'web/client': {
    lib: { uses: [] },
    ui: { uses: ['lib'] },
    inline: { uses: ['lib'] },
    artworks: { uses: ['lib', 'ui'] },
    journal: { uses: ['lib', 'ui'] },
    messages: { uses: ['lib', 'ui'] },
    'site-content': { uses: ['lib', 'ui', 'artworks'] },
    app: {
      uses: ['lib', 'ui', 'inline', 'artworks', 'journal', 'messages', 'site-content'],
      later: ['admin'],
    },
    admin: { uses: ['lib', 'ui'] },
    'router.tsx': { uses: ['app'] },
    'entry-client.tsx': { uses: ['lib', 'app', 'router.tsx'] },
    'entry-server.tsx': { uses: ['lib', 'app', 'router.tsx'] },
  },
}

/** What any other file beside the folders may use: every zone may use such a file. */
const besides: Readonly<Record<string, readonly string[]>> = {
  // The address of an image is a rule of fields.
  domain: ['images'],
  'web/server': forRoutes,
}

/** The zone of a path of the room; null for a file beside its folders that is of all of them. */
const zoneOf = (room: string, path: string): string | null => {
  const [zone = '', ...below] = path.slice(room.length + 1).split('/')
  return below.length > 0 || zone in (zones[room] ?? {}) ? zone : null
}

/** Single files that need one package more than their room has; each names why. */
const exceptions: readonly { file: string; packages: readonly string[]; why: string }[] = [
  {
    file: 'application/kernel/ports/files.ts',
    packages: ['node:stream'],
    why: 'the type of a file on its way: pictures pass as streams, never whole in memory',
  },
  {
    file: 'application/kernel/ids.ts',
    packages: ['uuid'],
    why: 'ids derived from a command are UUIDv5, which node:crypto does not make',
  },
  {
    file: 'application/kernel/loaded-streams.ts',
    packages: ['lru-cache'],
    why: 'states kept by use, which a library does better than a map',
  },
  {
    file: 'application/kernel/rank.ts',
    packages: ['fractional-indexing'],
    why: 'a rank between two others: pure, and best left to a library',
  },
]

/** Packages that stay inside one folder, so that replacing an engine or the web framework touches one place. */
const fences: readonly { packages: readonly string[]; inside: string }[] = [
  { packages: ['koa', '@koa/', 'koa-body', 'koa-compose', 'koa-session', 'keygrip'], inside: 'web/server' },
  { packages: ['mongodb', 'bullmq', 'ioredis', '@eventstore/db-client'], inside: 'infrastructure/cluster' },
  { packages: ['node:sqlite'], inside: 'infrastructure/embedded' },
  { packages: ['@opentelemetry/'], inside: 'infrastructure/telemetry' },
  { packages: client.filter((name) => !['zod', 'schema-dts'].includes(name)), inside: 'web/client' },
]

/** Whether `specifier` is that package, one of its sub-paths, or (for a name ending in `/`) in that scope. */
const isOf = (specifier: string, name: string): boolean =>
  specifier === name || specifier.startsWith(name.endsWith('/') ? name : `${name}/`)

/** The room of a path below `src`, or null when the path is in none of them. */
const roomOf = (pathBelowSrc: string): Room | null => {
  const found = rooms.find((room) => pathBelowSrc.startsWith(`${room.name}/`))
  if (found) return found
  return pathBelowSrc.includes('/') ? null : (rooms.find((room) => room.name === 'top') ?? null)
}

/**
 * Judges how an import is written: inside a room by relative path, across rooms as `#room/…`.
 * @param file path below `src`, with forward slashes
 * @param specifier as it stands in the code
 * @param target path below `src` that it leads to
 */
export const judgeForm = (file: string, specifier: string, target: string): string | null => {
  const inside = roomOf(file) === roomOf(target)
  if (specifier.startsWith('#') && inside) return `inside a room by relative path, not ${specifier}`
  return specifier.startsWith('.') && !inside ? `from another room by #${target}, not ${specifier}` : null
}

/**
 * Judges an import between two zones of a room.
 * @param isLater whether it is an `import()`
 * @returns a sentence that says what is wrong and what to do, or null when the import is allowed
 */
export const judgeZone = (file: string, target: string, isLater: boolean): string | null => {
  const room = roomOf(file)?.name ?? ''
  const known = zones[room]
  if (known === undefined || room !== roomOf(target)?.name || isForTests(file)) return null
  const [zone, other] = [zoneOf(room, file), zoneOf(room, target)]
  if (other === null || zone === other || /\.(?:css|woff2)$/.test(target)) return null
  if (zone === null && /\.int\.test\.tsx?$/.test(file)) return null
  const own = zone === null ? { uses: besides[room] ?? [] } : known[zone]
  if (own === undefined) return `${room}/${zone} is no zone of its room: name it in build/lint/floors.ts`
  const may = isLater && 'later' in own ? [...own.uses, ...(own.later ?? [])] : own.uses
  if (may.includes(other)) return null
  const those = may.length > 0 ? may.join(', ') : 'no other'
  return `${zone === null ? file : `${room}/${zone}`} may not use ${room}/${other} (it may use: ${those}); move what both need there, or beside the folders`
}

/**
 * Judges one import of a file below `src`.
 * @param file path below `src`, with forward slashes
 * @param target what is imported: a path below `src`, or a bare package name
 * @returns a sentence that says what is wrong and what to do, or null when the import is allowed
 */
export const judge = (file: string, target: { path: string } | { package: string }): string | null => {
  const room = roomOf(file)
  if (!room)
    return `src/${file} stands in no room of the house: put it into one of the folders of build/lint/floors.ts`
  const forTests = isForTests(file)
  if ('path' in target) {
    const other = roomOf(target.path)
    if (!other) return `src/${target.path} stands in no room of the house`
    if (other === room || room.rooms.includes(other.name)) {
      if (forTests || !isMachine(file) || isMachine(target.path) || tables.includes(target.path)) return null
      return `src/${file} is of the machine and may not know the gallery (src/${target.path}): have it handed in`
    }
    const may = room.rooms.length ? room.rooms.join(', ') : 'no other room'
    return `${room.name} may not use ${other.name} (it may use: ${may}); ${room.instead ?? 'go through a port or move the code down'}`
  }

  const fence = fences.find((each) => each.packages.some((name) => isOf(target.package, name)))
  if (fence && !forTests && !file.startsWith(`${fence.inside}/`))
    return `${target.package} stays inside src/${fence.inside}; use the port that hides it`
  if (forTests || room.packages === 'any' || room.packages.some((name) => isOf(target.package, name)))
    return null
  if (exceptions.some((each) => each.file === file && each.packages.includes(target.package))) return null
  return `${room.name} may not use ${target.package} (it may use: ${room.packages.join(', ')}); hand it in through a port`
}

const names = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'] as const

/** Addresses of the servers to measure, as the environment named them when the benches began. */
export const servers: Readonly<Partial<Record<(typeof names)[number], string>>> = Object.fromEntries(
  names.flatMap((name) => {
    const url = process.env[name]
    // Every other bench, and every site that one starts, runs on the embedded engines.
    delete process.env[name]
    return url ? [[name, url]] : []
  }),
)

/** Which addresses are not set. */
export const missingServers = (): string | null => {
  const missing = names.filter((name) => servers[name] === undefined)
  return missing.length === 0 ? null : `${missing.join(', ')} not set`
}

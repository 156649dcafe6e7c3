import { z } from 'zod'

/** A known vulnerability of something installed. */
export interface Advisory {
  /** GHSA-… */
  readonly id: string
  readonly package: string
  readonly severity: string
  readonly title: string
}

/** Vulnerabilities that are known and lived with: why, and until when (the day on which somebody looks again). */
export const accepted: readonly {
  readonly id: string
  readonly package: string
  readonly why: string
  readonly until: string
}[] = []

const via = z.union([
  // Another package of the report, which names the advisory itself.
  z.string(),
  z.looseObject({ url: z.string(), title: z.string(), severity: z.string(), name: z.string() }),
])
const report = z.looseObject({
  vulnerabilities: z.record(z.string(), z.looseObject({ via: z.array(via) })),
})
const refused = z.looseObject({ message: z.string() })

/** What `npm audit --json` said: the advisories, each once, or why nobody could be asked. */
export const readAudit = (
  json: unknown,
): { readonly advisories: readonly Advisory[] } | { readonly unasked: string } => {
  const found = report.safeParse(json).data
  if (found === undefined)
    return { unasked: refused.safeParse(json).data?.message ?? 'npm audit said nothing that can be read' }
  const advisories = Object.values(found.vulnerabilities).flatMap((each) =>
    each.via.flatMap((one) => {
      if (typeof one === 'string') return []
      const { url, title, severity, name } = one
      return [{ id: url.split('/').at(-1) ?? url, package: name, severity, title }]
    }),
  )
  return { advisories: [...new Map(advisories.map((one) => [`${one.id} ${one.package}`, one])).values()] }
}

/**
 * What is wrong, a sentence each: advisories that nobody has accepted, or not any more, and accepted ones that are over.
 * @param today as in 2026-11-25
 */
export const complaintsOf = (
  advisories: readonly Advisory[],
  today: string,
  list: typeof accepted = accepted,
): readonly string[] => [
  ...advisories.flatMap((one) => {
    const known = list.find((each) => each.id === one.id && each.package === one.package)
    if (known === undefined) return [`${one.package}: ${one.title} (${one.severity}, ${one.id})`]
    return known.until >= today
      ? []
      : [`${one.id} of ${one.package} was accepted until ${known.until}: look again`]
  }),
  ...list
    .filter((each) => !advisories.some((one) => one.id === each.id && one.package === each.package))
    .map((each) => `${each.id} of ${each.package} is accepted and not there any more: take it off the list`),
]

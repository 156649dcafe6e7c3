/** A test, and in a line why it failed or did not run. */
type Named = { readonly name: string; readonly reason: string }

/** What a run of tests came to. */
export type Counts = {
  readonly passed: number
  readonly failed: readonly Named[]
  readonly skipped: readonly Named[]
}

export const nothing: Counts = { passed: 0, failed: [], skipped: [] }

export const add = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: [...one.failed, ...other.failed],
  skipped: [...one.skipped, ...other.skipped],
})

/** @returns the plain last line of `npm test` */
export const line = (counts: Counts): string =>
  `${counts.passed} passed, ${counts.failed.length} failed, ${counts.skipped.length} skipped`

/**
 * A runner that ends badly without a failed test (a file that does not load, an error outside a test) must not
 * print a clean total.
 */
export const withExit = (counts: Counts, exit: number): Counts =>
  exit !== 0 && counts.failed.length === 0
    ? { ...counts, failed: [{ name: 'a whole runner', reason: `it ended with exit code ${exit}` }] }
    : counts

// What terminals colour words with; pretty in a report, rubbish in a list.
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[0-9;]*m/g

/** @returns the first line of a failure's message, or a sentence where there is none */
export const firstLine = (message: string | undefined): string =>
  message?.replaceAll(COLOURS, '').trim().split('\n')[0] || 'it gives no reason'

/** The parts of Playwright's JSON report that are read here. */
export type JourneyReport = { readonly suites: readonly Suite[] }
type Suite = { readonly title: string; readonly specs?: readonly Spec[]; readonly suites?: readonly Suite[] }
type Spec = { readonly title: string; readonly tests: readonly JourneyTest[] }
type JourneyTest = {
  /** Missing outcomes of `--list` are reported as `skipped`. */
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
  readonly results: readonly { readonly error?: { readonly message?: string } }[]
}

const specsOf = (suite: Suite, above: readonly string[]): { name: string; test: JourneyTest }[] => {
  const path = [...above, suite.title]
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ name: [...path, spec.title].join(' › '), test })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((each) => specsOf(each, path))]
}

/**
 * @param report what Playwright's JSON reporter wrote
 * @param reason why nothing ran, for a report that only lists the journeys
 */
export const countJourneys = (report: JourneyReport, reason = 'the test gives no reason'): Counts =>
  report.suites
    .flatMap((suite) => specsOf(suite, []))
    .map(({ name, test }): Counts => {
      if (test.status === 'skipped') {
        const given = test.annotations.find(
          (each) => each.type === 'skip' || each.type === 'fixme',
        )?.description
        return { ...nothing, skipped: [{ name, reason: given ?? reason }] }
      }
      if (test.status !== 'unexpected') return { ...nothing, passed: 1 }
      return { ...nothing, failed: [{ name, reason: firstLine(test.results.at(-1)?.error?.message) }] }
    })
    .reduce(add, nothing)

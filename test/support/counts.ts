/** What a run of tests came to; `skipped` names each test that did not run, and why. */
export type Counts = {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

export const nothing: Counts = { passed: 0, failed: 0, skipped: [] }

export const add = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: [...one.skipped, ...other.skipped],
})

/** @returns the plain last line of `npm test` */
export const line = (counts: Counts): string =>
  `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped`

/**
 * A runner that ends badly without a failed test (a file that does not load, an error outside a test) must not
 * print a clean total.
 */
export const withExit = (counts: Counts, exit: number): Counts =>
  exit !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts

/** The parts of Playwright's JSON report that are read here. */
export type JourneyReport = { readonly suites: readonly Suite[] }
type Suite = { readonly title: string; readonly specs?: readonly Spec[]; readonly suites?: readonly Suite[] }
type Spec = { readonly title: string; readonly tests: readonly JourneyTest[] }
type JourneyTest = {
  /** Missing outcomes of `--list` are reported as `skipped`. */
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
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
      return test.status === 'unexpected' ? { ...nothing, failed: 1 } : { ...nothing, passed: 1 }
    })
    .reduce(add, nothing)

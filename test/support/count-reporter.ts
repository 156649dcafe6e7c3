import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { type Counts, add, nothing } from './counts.ts'

/** A title may carry its reason, for suites that are skipped as a whole: "… (skipped: no EVENTSTORE_URL)". */
const reasonIn = (title: string): string | undefined => /\(skipped: (.+)\)/.exec(title)?.[1]

const count = (module: TestModule): Counts => {
  const broken = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  const errors = module.errors().length + broken.length
  const unsaid = errors > 0 ? 'the set-up of its file failed' : 'the test gives no reason'
  const tests = [...module.children.allTests()].map((test): Counts => {
    const result = test.result()
    if (result.state === 'passed') return { ...nothing, passed: 1 }
    if (result.state === 'failed') return { ...nothing, failed: 1 }
    const note = result.state === 'skipped' ? result.note : 'the run was cut off'
    const reason = note ?? reasonIn(test.fullName) ?? unsaid
    return { ...nothing, skipped: [{ name: `${module.relativeModuleId} › ${test.fullName}`, reason }] }
  })
  return [...tests, { ...nothing, failed: errors }].reduce(add, nothing)
}

/** Writes what the run came to into the file that COUNTS_FILE names; test/run.ts adds the journeys to it. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env['COUNTS_FILE']
    if (!file) return
    const counts = modules.map(count).reduce(add, { ...nothing, failed: unhandled.length })
    writeFileSync(file, JSON.stringify(counts))
  }
}

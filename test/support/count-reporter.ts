import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { type Counts, add, firstLine, nothing } from './counts.ts'

/** A title may carry its reason, for suites that are skipped as a whole: "… (skipped: no EVENTSTORE_URL)". */
const reasonIn = (title: string): string | undefined => /\(skipped: (.+?)\)/.exec(title)?.[1]

const count = (module: TestModule): Counts => {
  const file = module.relativeModuleId
  const broken = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  const errors = [...module.errors(), ...broken].map(({ message }) => ({
    name: file,
    reason: firstLine(message),
  }))
  const unsaid = errors.length > 0 ? 'the set-up of its file failed' : 'the test gives no reason'
  const tests = [...module.children.allTests()].map((test): Counts => {
    const result = test.result()
    const name = `${file} › ${test.fullName}`
    if (result.state === 'passed') return { ...nothing, passed: 1 }
    if (result.state === 'failed')
      return { ...nothing, failed: [{ name, reason: firstLine(result.errors[0]?.message) }] }
    const note = result.state === 'skipped' ? result.note : undefined
    // Tests of a suite inside a skipped one stay without a result, as those of a run that was cut off.
    const otherwise = result.state === 'skipped' ? unsaid : 'the run was cut off'
    const reason = note ?? reasonIn(test.fullName) ?? otherwise
    return { ...nothing, skipped: [{ name, reason }] }
  })
  return [...tests, { ...nothing, failed: errors }].reduce(add, nothing)
}

/** Writes what the run came to into the file that COUNTS_FILE names; test/run.ts adds the journeys to it. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const file = process.env['COUNTS_FILE']
    if (!file) return
    const outside = unhandled.map(({ message }) => ({
      name: 'outside any test',
      reason: firstLine(message),
    }))
    const counts = modules.map(count).reduce(add, { ...nothing, failed: outside })
    writeFileSync(file, JSON.stringify(counts))
  }
}

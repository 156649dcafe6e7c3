import { expect, test } from 'vitest'
import { jobNames } from '#application/job-data.ts'
import { JOB_WORDS } from '#web/client/admin/shell/job-words.ts'

// The client may not know the jobs: it gets their names as text.
test('every kind of job has its words in the dashboard', () => {
  expect(Object.keys(JOB_WORDS).toSorted()).toEqual(jobNames.toSorted())
})

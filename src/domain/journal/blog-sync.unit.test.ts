import { describe, expect, test } from 'vitest'
import { type BlogSyncCommand, blogSyncDecider } from './blog-sync.ts'
import type { BlogSyncEvent } from './events.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const blogUrl = 'https://blog.in/'
const counts = { created: 1, updated: 2, removed: 3, unchanged: 4, total: 7 }
const start = (runId: string): BlogSyncCommand => ({ type: 'StartSync', runId, blogUrl, trigger: 'owner' })
const started = (runId: string): BlogSyncEvent => ({
  type: 'BlogSyncStarted',
  data: { runId, blogUrl, trigger: 'owner' },
})
const complete = (runId: string): BlogSyncCommand => ({ type: 'CompleteSync', runId, counts })
const completed = (runId: string): BlogSyncEvent => ({
  type: 'BlogSyncCompleted',
  data: { runId, ...counts },
})
const fail = (runId: string): BlogSyncCommand => ({ type: 'FailSync', runId, reason: 'No answer' })
const failed = (runId: string): BlogSyncEvent => ({
  type: 'BlogSyncFailed',
  data: { runId, reason: 'No answer' },
})

describe('starting', () => {
  test('a run starts when none runs, also after others ended', () => {
    expect(given(blogSyncDecider).when(start('r1'))).toEqual(causes(started('r1')))
    expect(given(blogSyncDecider, started('r1'), completed('r1')).when(start('r2'))).toEqual(
      causes(started('r2')),
    )
    expect(given(blogSyncDecider, started('r1'), failed('r1')).when(start('r2'))).toEqual(
      causes(started('r2')),
    )
  })
  test('a second one is refused while one runs', () => {
    expect(given(blogSyncDecider, started('r1')).when(start('r2'))).toMatchObject({
      ...refuses('blocked'),
      message: expect.stringContaining('A sync is running already'),
    })
  })
  test('the same run starts once', () => {
    expect(given(blogSyncDecider, started('r1')).when(start('r1'))).toEqual(causes())
    expect(given(blogSyncDecider, started('r1'), completed('r1')).when(start('r1'))).toEqual(causes())
  })
  test('without a blog address the refusal names the setting', () => {
    expect(given(blogSyncDecider).when({ ...start('r1'), blogUrl: '' } as BlogSyncCommand)).toMatchObject({
      ...refuses('blocked'),
      message: expect.stringContaining('Blog address'),
    })
  })
})

describe('ending', () => {
  test('the run that goes on completes or fails', () => {
    expect(given(blogSyncDecider, started('r1')).when(complete('r1'))).toEqual(causes(completed('r1')))
    expect(given(blogSyncDecider, started('r1')).when(fail('r1'))).toEqual(causes(failed('r1')))
  })
  test('a run ends once', () => {
    for (const end of [completed('r1'), failed('r1')])
      for (const again of [complete('r1'), fail('r1')])
        expect(given(blogSyncDecider, started('r1'), end).when(again)).toEqual(causes())
  })
  test.each([complete('r1'), fail('r1')])('$type of another run or without one is refused', (command) => {
    expect(given(blogSyncDecider, started('r2')).when(command)).toMatchObject(refuses('blocked'))
    expect(given(blogSyncDecider).when(command)).toMatchObject(refuses('blocked'))
  })
})

test('the state knows the run that goes on, and the last that ended', () => {
  const { state } = given(
    blogSyncDecider,
    started('r1'),
    completed('r1'),
    started('r2'),
    failed('r2'),
    started('r3'),
  )
  expect(state).toEqual({
    running: { runId: 'r3', blogUrl },
    lastEnded: { runId: 'r2', blogUrl },
    version: 5,
  })
  expect(given(blogSyncDecider, started('r1')).versionFor(start('r2'))).toBe(1)
})

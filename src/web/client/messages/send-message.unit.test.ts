import { afterEach, expect, test, vi } from 'vitest'
import { firstWrong, messageErrorsOf } from './message-fields.ts'
import { messageErrors, sendMessage, timeTaken, withoutOldTime } from './send-message.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const message = { name: 'Ravi', email: 'ravi@example.org', subject: 'general', message: 'Hello' }

test('a whole letter has nothing wrong with it', () => {
  expect(messageErrors(message)).toEqual({})
  expect(firstWrong({})).toBeNull()
})

test.each([
  ['name', '  ', 'Please write your name.'],
  ['name', 'x'.repeat(101), 'Please use at most 100 characters.'],
  ['email', '', 'Please write your e-mail address, so that the artist can answer.'],
  ['email', 'ravi@example', 'Please enter an e-mail address such as ravi@example.org.'],
  ['email', 'ravi..k@example.org', 'Please enter an e-mail address such as ravi@example.org.'],
  ['subject', '', 'Please select a subject'],
  ['subject', 'spam', 'Please select a subject'],
  ['message', '\n', 'Please write a few words.'],
  ['message', 'x'.repeat(5001), 'Please use at most 5,000 characters.'],
] as const)('%s %j is refused with a remedy', (field, value, sentence) => {
  expect(messageErrors({ ...message, [field]: value })).toEqual({ [field]: sentence })
})

test('the first wrong field from above is found', () => {
  expect(firstWrong({ message: 'x', email: 'y' })).toBe('email')
})

test("the server's messages for fields that nobody sees are not shown at a field", () => {
  expect(messageErrorsOf({ email: 'Not an address', openedAt: 'x' })).toEqual({ email: 'Not an address' })
})

test('a form that was open long enough says no time, whatever the clock of its machine says', () => {
  const opened = { ...message, openedAt: '2031-01-01T00:00:00.000Z' }
  expect(withoutOldTime(opened, 2_999)).toEqual(opened)
  expect(withoutOldTime(opened, 3_000)).toEqual(message)
  expect(withoutOldTime(message, 1)).toEqual(message)
})

test("what was begun on an earlier page is no machine's, however soon it is sent from the one that took its place", () => {
  const [before, here] = [`${performance.timeOrigin - 60_000}`, `${performance.timeOrigin}`]
  expect(timeTaken({ ...message, key: before })).toBe(Number.POSITIVE_INFINITY)
  expect(timeTaken({ ...message, key: here })).toBeLessThan(Number.POSITIVE_INFINITY)
  expect(timeTaken(message)).toBeLessThan(Number.POSITIVE_INFINITY)
})

test('a message that came along from an earlier page is sent without the time of this one', async () => {
  const bodies: string[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    bodies.push(body)
    return Response.json({ message: 'Thank you' }, { status: 201 })
  })
  vi.spyOn(performance, 'now').mockReturnValue(500)
  const openedAt = '2026-11-14T09:12:00.000Z'
  for (const key of [`${performance.timeOrigin - 60_000}`, `${performance.timeOrigin}`])
    expect(await sendMessage({ ...message, openedAt, key })).toEqual({ sent: true })
  expect(bodies.map((body) => body.includes('openedAt'))).toEqual([false, true])
})

test.each([
  ['{"message":"Too many letters just now. Please try again in an hour."}', /in an hour/],
  ['<h1>Too Many Requests</h1>', /Failed to send message/],
])('too many are refused in the words of the server, if it has any: %s', async (body, reason) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 429 }))
  expect(await sendMessage(message)).toEqual({
    sent: false,
    errors: {},
    reason: expect.stringMatching(reason),
  })
})

import { afterEach, expect, test, vi } from 'vitest'
import { firstWrong, shownErrors } from './message-fields.ts'
import { messageErrors, sendMessage, withoutOldTime } from './send-message.ts'

afterEach(() => vi.unstubAllGlobals())

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
  expect(shownErrors({ email: 'Not an address', openedAt: 'x' })).toEqual({ email: 'Not an address' })
})

test('a form that was open long enough says no time, whatever the clock of its machine says', () => {
  const opened = { ...message, openedAt: '2031-01-01T00:00:00.000Z' }
  expect(withoutOldTime(opened, 2_999)).toEqual(opened)
  expect(withoutOldTime(opened, 3_000)).toEqual(message)
  expect(withoutOldTime(message, 1)).toEqual(message)
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

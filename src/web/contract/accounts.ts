import { z } from 'zod'
import { line, required } from '#domain/field-rules.ts'
import { defineCalls } from './call.ts'
import { errorBody } from './errors.ts'
import {
  absentWhenEmpty,
  body,
  id,
  isLeftOut,
  opaqueIdParams,
  requiredText,
  timestamp,
  yesOrNo,
} from './field-schemas.ts'
import { limits } from './limits.ts'

/** The owner. */
export const user = z.strictObject({
  id: id(),
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type User = z.output<typeof user>

const password = (label: string, required = `${label} is required`) =>
  z
    .string({ error: (issue) => (isLeftOut(issue.input) ? required : `${label} must be text`) })
    .min(1, { error: required, abort: true })

/** A password is taken as it is typed; a username without the blanks around it. */
export const credentials = body({
  username: requiredText(required(line('Username', limits.name))),
  password: password('Password'),
})

const passwordLength = `New password must have ${limits.minPassword} to ${limits.maxPassword} characters`

/** Whether the new one is among the commonest is for the server to say. */
export const passwordChange = body({
  currentPassword: password('Current password'),
  newPassword: password('New password')
    .min(limits.minPassword, passwordLength)
    .max(limits.maxPassword, passwordLength),
})

const firstStepsChange = body({ away: yesOrNo('Away') })

/** One signed-in browser. `id` is never the cookie's value. */
export const accountSession = z.strictObject({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  createdAt: timestamp(),
  lastSeenAt: timestamp(),
  current: z.boolean(),
})
export type AccountSession = z.output<typeof accountSession>

export const accountCalls = defineCalls('accounts', {
  getUser: {
    summary: 'Who is signed in',
    answers: { 200: user },
  },
  login: {
    summary: 'Signs in',
    access: 'anyone',
    body: credentials,
    answers: { 200: z.strictObject({ user }), 401: errorBody, 429: errorBody },
  },
  loginRedirect: {
    summary: 'The redirect target of a session that ended: leads to the dashboard, or to a path of this site',
    access: 'anyone',
    query: z.object({ returnTo: absentWhenEmpty(z.string('Give one returnTo')) }),
    produces: 'html',
    answers: { 303: null },
  },
  logout: {
    summary: 'Signs out; signed out already, it changes nothing',
    access: 'anyone',
    answers: { 204: null },
  },
  changePassword: {
    summary: 'Changes the password and ends all other sessions',
    body: passwordChange,
    answers: { 204: null, 429: errorBody },
  },
  changeFirstSteps: {
    summary: 'Puts the list of first steps away, or brings it back',
    body: firstStepsChange,
    answers: { 204: null },
  },
  listSessions: {
    summary: 'The browsers that are signed in',
    answers: { 200: z.array(accountSession), 304: null },
  },
  endOtherSessions: {
    summary: 'Ends all sessions but the one that asks',
    answers: { 204: null },
  },
  endSession: {
    summary: 'Ends a session',
    params: opaqueIdParams,
    answers: { 204: null, 404: errorBody },
  },
})

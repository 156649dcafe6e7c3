import { failure, success } from '../admin-constants.ts'

/** What the login form says of a field that was left empty. */
export const LOGIN_TEXT = {
  usernameMissing: 'Username is required',
  passwordMissing: 'Password is required',
} as const

export const LOGIN_WORDS = {
  title: 'Admin Login',
  username: 'Username',
  password: 'Password',
  login: 'Login',
  loggingIn: 'Logging in...',
  ended: 'Your session has ended. What you see and what you typed stays. Log in to go on.',
  kept: 'What you typed is kept. Log in, and it is offered to you again.',
  offline:
    'The site cannot be reached, so your password could not be checked. Please look at the connection.',
  forgotten:
    'Forgotten? Whoever runs the server can set a new password: atelier admin set-password (in a clone: npm run atelier -- admin set-password)',
} as const

export const ACCOUNT_WORDS = {
  title: 'Account',
  signedInAs: (name: string) => `Signed in as ${name}`,
  password: 'Change password',
  current: 'Current password',
  new: 'New password',
  newHint: 'At least 8 characters. All other browsers are signed out.',
  currentMissing: 'Current password is required',
  newMissing: 'New password is required',
  change: 'Change Password',
  changing: 'Changing...',
  changed: success('Password changed. Other browsers are signed out.'),
  changeFailed: failure('Failed to change the password.'),
  sessions: 'Signed-in browsers',
  thisOne: 'This browser',
  lastSeen: (when: string) => `last seen ${when}`,
  end: 'Sign out',
  endName: (device: string, when: string) => `Sign out ${device}, last seen ${when}`,
  ended: success('Signed out there.'),
  endFailed: failure('Failed to sign out there. Please try again.'),
  endOthers: 'Sign out all other browsers',
  endingOthers: 'Signing out...',
  othersEnded: success('All other browsers are signed out.'),
  showSteps: 'Show the first steps',
  showStepsHint: 'The list at the top of the dashboard.',
  stepsAllDone: 'All of them are done.',
} as const

import { type ChoiceRule, emailAddress, line, lines, required } from '../field-rules.ts'
import { messageLimits, subjectWords } from './message-limits.ts'

/** What the texts of a visitor's message may be. */
export const messageRules = {
  name: required(line('Name', messageLimits.name)),
  email: required(emailAddress('Email')),
  message: required(lines('Message', messageLimits.message)),
}

export const messageSubject = {
  words: subjectWords,
  sentence: 'Please select a subject',
} satisfies ChoiceRule

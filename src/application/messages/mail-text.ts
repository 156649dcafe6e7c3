import { type MessageSubject, subjectWords } from '#domain/messages/message-limits.ts'
import type { PersonalText } from './messages.ts'

/** A message as the owner reads it in a mail. */
export interface MailedText {
  readonly personal: PersonalText
  readonly subject: MessageSubject
  /** of the work it is about; null without one */
  readonly title: string | null
}

/**
 * A text in one line, without what could begin a header of its own (ASVS 1.3.11), and with no word that mail programmes
 * take for another, encoded one (RFC 2047).
 */
const headerLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()

/** What somebody calls themselves, which looks like no address: the one to answer stands beside it. */
export const nameInWords = (name: string): string =>
  headerLine(
    name
      .replaceAll(/[@＠﹫]/gu, ' (at) ')
      .replaceAll(/[<＜﹤‹〈⟨]/gu, '(')
      .replaceAll(/[>＞﹥›〉⟩]/gu, ')'),
  )

const aboutOf = ({ subject, title }: MailedText): string =>
  `${subjectWords[subject]}${title === null ? '' : `: ${title}`}`

export const subjectOf = (message: MailedText): string =>
  headerLine(`${aboutOf(message)} (from ${nameInWords(message.personal.name)})`)

/** Every way in which a mail programme may begin a new line. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u
/** Such a line of dashes could be taken for the rule between messages. */
const likeRule = /^\s*\p{Pd}{20,}\s*$/u

/** What a stranger wrote stands further in than anything that the site says, so that it can pass for none of it. */
const setIn = (text: string): readonly string[] =>
  text.split(lineEnd).map((line) => (line.trim() === '' ? '' : `    ${likeRule.test(line) ? '---' : line}`))

const linesOf = (message: MailedText): readonly string[] => [
  `${nameInWords(message.personal.name)} <${message.personal.email}> wrote on your website:`,
  `Subject: ${subjectWords[message.subject]}`,
  ...(message.title === null ? [] : [`About: ${headerLine(message.title)}`]),
  '',
  ...setIn(message.personal.message),
  '',
]

/** Stands between messages in one mail. */
const rule = ['-'.repeat(60), '']

/** The mail of one message. @param address where the owner reads all of them */
export const singleText = (message: MailedText, address: string): string => {
  const name = nameInWords(message.personal.name)
  return [
    ...linesOf(message),
    `Answer this mail to write to ${name}. The message is also at ${address}`,
  ].join('\n')
}

/** The mail of several. */
export const gatheredText = (messages: readonly MailedText[], address: string): string =>
  [
    `${messages.length} letters came shortly after one another, and are mailed to you together.`,
    `Answer each of them from ${address}, or write to the address that stands above it.`,
    '',
    ...messages.flatMap((message) => [...rule, ...linesOf(message)]),
  ].join('\n')

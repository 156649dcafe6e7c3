import type { ContactMessage } from '#web/contract/messages.ts'
import { subjectLabel } from './reply.ts'

/** The messages that hold every word of `text` in name, address, subject, work or message, in whatever case. */
export function messagesWith(messages: readonly ContactMessage[], text: string): readonly ContactMessage[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return messages
  return messages.filter((each) => {
    const all = [each.name, each.email, subjectLabel(each.subject), each.artworkTitle, each.message]
      .join('\n')
      .toLocaleLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** One mail to the owner about an enquiry, or several. Plain text only. */
export interface MessageMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** the visitor: answering goes to her; null where several wrote */
  readonly replyTo: { readonly name: string; readonly address: string } | null
  /** the same for every try, so that mail servers and programs can tell copies */
  readonly messageId: string
}

/** The mail server said no to the text of this mail: another may be taken. The message is a sentence for the owner and holds nothing personal. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  /** trying again cannot help */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

export interface Mailer {
  /**
   * Hands the mail to the owner's mail server; resolves when that has taken it.
   * @throws {MailRefused} when the server answered no to its text
   * @throws an error whose message holds nothing personal when it did not answer, or takes no mail at all
   */
  readonly send: (mail: MessageMail) => Promise<void>
}

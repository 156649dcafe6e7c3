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

/** The mail server said no for good. The message is a sentence for the owner and holds nothing personal. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  /** it was its text that was refused: another mail may be taken */
  readonly isOfText: boolean

  constructor(message: string, isOfText = false) {
    super(message)
    this.isOfText = isOfText
  }
}

export interface Mailer {
  /**
   * Hands the mail to the owner's mail server; resolves when that has taken it.
   * @throws {MailRefused} when trying again cannot help
   * @throws an error whose message holds nothing personal when it may
   */
  readonly send: (mail: MessageMail) => Promise<void>
  readonly close: () => void
}

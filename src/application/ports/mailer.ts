/** One mail to the owner about an enquiry. Plain text only. */
export interface EnquiryMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** the visitor: answering goes to her */
  readonly replyTo: { readonly name: string; readonly address: string }
  /** the same for every try, so that mail servers and programs can tell copies (decisions 73) */
  readonly messageId: string
}

/** The mail server said no for good. The message is a sentence for the owner and holds nothing personal. */
export class MailRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailRefused'
  }
}

export interface Mailer {
  /**
   * Hands the mail to the owner's mail server; resolves when that has taken it.
   * @throws {MailRefused} when trying again cannot help
   * @throws an error whose message holds nothing personal when it may
   */
  readonly send: (mail: EnquiryMail) => Promise<void>
  readonly close: () => void
}

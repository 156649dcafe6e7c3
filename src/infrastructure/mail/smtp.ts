import type { Transporter } from 'nodemailer'
import { type Mailer, MailRefused } from '#application/messages/ports/mailer.ts'

/** A server that accepts a connection and then says nothing is given up after this, in ms. */
const usualTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** What nodemailer adds to its errors. */
interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  /** the system's own code, where nodemailer put another in its place */
  readonly originalCode?: string
}

/**
 * A failure in words without anything personal: a server's own text may repeat the visitor's address.
 * A reply of 5xx to sender, recipient or text is final (RFC 5321 §4.2.1); all else may pass.
 */
const inWords = (error: unknown): Error => {
  // Whatever was thrown, these two are looked for and may be absent.
  const { code, responseCode, originalCode } = error as SmtpError
  if (code === 'EAUTH') {
    return new Error('The mail server does not accept the user name or password in SMTP_URL', { cause: code })
  }
  if (responseCode !== undefined) {
    const isFinal = responseCode >= 500
    const what = isFinal ? 'refused the mail' : 'asks to try later'
    // By 421 a server takes leave of everything, whenever it says so.
    const isOfText = code === 'EMESSAGE' && responseCode !== 421
    return new MailRefused(`The mail server ${what} (${responseCode})`, { isOfText, isFinal })
  }
  const reason = originalCode ?? code ?? 'no connection'
  // Without its own text, which may repeat the server's.
  const cause = Object.assign(new Error(reason), { code: reason })
  return new Error(`The mail server does not answer (${reason})`, { cause })
}

/**
 * Mails by SMTP, through nodemailer, which is loaded for the first mail. One connection per mail: enquiries
 * are rare, and an idle one would be closed by the server.
 * @param url `smtp://user:password@host:port` or `smtps://…`
 * @param from address in the `From` line
 * @param timeouts for tests
 */
export const openMailer = (url: string, from: string, timeouts = usualTimeouts): Mailer => {
  let transport: Transporter | undefined
  return {
    send: async (mail) => {
      const { createTransport } = await import('nodemailer')
      transport ??= createTransport(
        { url, ...timeouts, disableFileAccess: true, disableUrlAccess: true },
        { from },
      )
      try {
        await transport.sendMail({
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
          messageId: mail.messageId,
        })
      } catch (error) {
        throw inWords(error)
      }
    },
    close: () => transport?.close(),
  }
}

/** Connects to a mail server and logs in, without sending. @throws {Error} in words */
export const checkMailServer = async (url: string): Promise<void> => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, ...usualTimeouts })
  try {
    await transport.verify()
  } catch (error) {
    throw inWords(error)
  } finally {
    transport.close()
  }
}

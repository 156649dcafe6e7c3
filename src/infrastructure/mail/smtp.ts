import { Socket } from 'node:net'
import type { Transporter } from 'nodemailer'
import { isLoopbackHost } from '#application/kernel/loopback-host.ts'
import { type Mailer, MailRefused } from '#application/ports/mailer.ts'

/** A server that accepts a connection and then says nothing is given up after this, in ms; one that only talks after `talk`. */
const usualTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  talk: 10 * 60_000,
}
/** What a server says to one mail is some hundred bytes, and its certificates some thousand. */
const mostHeard = 64 * 1024
/** Between two looks at that, in ms. */
const lookMs = 50

/** What nodemailer adds to its errors. */
interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  /** the system's own code, where nodemailer put another in its place */
  readonly originalCode?: string
}

/**
 * A failure in words without anything personal: a server's own text may repeat the visitor's address.
 * Only a reply of 5xx to the text is about this mail, and final (RFC 5321 §4.2.1). Sender, recipient and login are the
 * operator's, who mends them or has the server mended: all else may pass.
 */
const inWords = (error: unknown): Error => {
  // Whatever was thrown, these two are looked for and may be absent.
  const { code, responseCode, originalCode } = error as SmtpError
  if (code === 'EAUTH') {
    return new Error('The mail server does not accept the user name or password in SMTP_URL', { cause: code })
  }
  if (code === 'ETLS' && responseCode !== undefined) {
    const words =
      'The mail server takes no encryption (STARTTLS), without which others could read the password in SMTP_URL: name ' +
      'the server by smtps://, or add ?requireTLS=false to SMTP_URL where nobody listens'
    return new Error(words, { cause: code })
  }
  if (responseCode !== undefined) {
    const isFinal = responseCode >= 500
    // By 421 a server takes leave of everything, whenever it says so.
    const isOfText = code === 'EMESSAGE' && responseCode !== 421
    if (isFinal && !isOfText) {
      const words = `The mail server takes no mail by these settings (${responseCode}): look at SMTP_URL, MAIL_FROM and MAIL_TO`
      return new Error(words, { cause: code })
    }
    const words = `The mail server ${isFinal ? 'refused the mail' : 'asks to try later'} (${responseCode})`
    return isOfText ? new MailRefused(words, isFinal) : new Error(words, { cause: code })
  }
  const reason = originalCode ?? code ?? 'no connection'
  // Without its own text, which may repeat the server's.
  const cause = Object.assign(new Error(reason), { code: reason })
  return new Error(`The mail server does not answer (${reason})`, { cause })
}

/** Whether an address sends a name or a password to another machine. */
const sendsLogin = (address: string): boolean => {
  const { username, password, hostname } = new URL(address)
  return username + password !== '' && !isLoopbackHost(hostname)
}

/**
 * Talks with a mail server by nodemailer, which is loaded for the first mail. One connection for each talk: messages
 * are rare, and an idle one would be closed by the server. It is a stranger: nodemailer gives up one that says nothing,
 * and not one that never ends.
 * @throws {Error} in words
 */
const talkWith = async <T>(
  options: { readonly url: string; readonly from?: string; readonly timeouts: typeof usualTimeouts },
  work: (transport: Transporter) => Promise<T>,
): Promise<T> => {
  const { createTransport } = await import('nodemailer')
  const { talk, ...timeouts } = options.timeouts
  const socket = new Socket()
  const broken = Promise.withResolvers<never>()
  const ends = performance.now() + talk
  const look = setInterval(() => {
    const isOver = performance.now() > ends
    if (socket.bytesRead <= mostHeard && !isOver) return
    socket.destroy()
    broken.reject(Object.assign(new Error(), { code: isOver ? 'ETIMEDOUT' : 'EPROTOCOL' }))
  }, lookMs).unref()
  // Until then, for it may go on talking to one who has taken leave.
  socket.once('close', () => clearInterval(look))
  const transport = createTransport(
    {
      // What it says of `requireTLS` itself goes before what is said here.
      url: options.url,
      requireTLS: sendsLogin(options.url),
      socket,
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  )
  try {
    return await Promise.race([work(transport), broken.promise])
  } catch (error) {
    socket.destroy()
    throw inWords(error)
  }
}

/**
 * Mails by SMTP.
 * @param url `smtp://user:password@host:port`, with STARTTLS where it holds a login for another machine, or `smtps://…`
 * @param from address in the `From` line
 * @param timeouts for tests
 */
export const openMailer = (url: string, from: string, timeouts = usualTimeouts): Mailer => ({
  send: async ({ to, subject, text, replyTo, messageId }) => {
    const mail = { to, subject, text, messageId, ...(replyTo !== null && { replyTo }) }
    await talkWith({ url, from, timeouts }, (transport) => transport.sendMail(mail))
  },
})

/** Connects to a mail server and logs in, without sending. @throws {Error} in words */
export const checkMailServer = async (url: string): Promise<void> => {
  await talkWith({ url, timeouts: usualTimeouts }, (transport) => transport.verify())
}

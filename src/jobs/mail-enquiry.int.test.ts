import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { mailEnquiry, type MailSettings } from '#application/messages/mail-enquiry.ts'
import { eraseMessage, receiveMessage } from '#application/messages/messages.ts'
import { updateContent } from '#application/site-content/site-content.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { mailEnquiryJob } from '#jobs/mail-enquiry.ts'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

/** A real SMTP server for one test; `mails` holds what it took. */
const smtp = async (options: SMTPServerOptions = {}, port = 0) => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  ending.push(() => server.close(() => {}))
  // Listening on a port, so its address is not a path.
  return { mails, port: (server.server.address() as AddressInfo).port }
}

const settings = (port: number, mailTo: string | null = 'owner@art.example'): MailSettings => ({
  mailer: openMailer(`smtp://127.0.0.1:${port}`, 'site@art.example'),
  mailTo,
  publicUrl: 'https://art.example',
})

const enquiry = {
  name: 'Asha Rao',
  email: 'asha@example.org',
  message: 'Is Haldi still free?\n.\nYours, Asha',
  subject: 'purchase',
  artworkId: null,
} as const

const received = async (input: Partial<typeof enquiry> = {}) => {
  const test = testApplication()
  const { id } = await receiveMessage(test.app, { ...enquiry, ...input }, ownerCommand())
  const outcomes = () => test.eventStore.events.slice(1).map((event) => event.type)
  return { ...test, id, outcomes }
}

describe('an enquiry', () => {
  it('is mailed to the owner, answerable to the visitor, with a lasting Message-ID', async () => {
    const { mails, port } = await smtp()
    const { app, id, outcomes } = await received()
    await mailEnquiry(app, settings(port), id)
    expect(outcomes()).toEqual(['EnquiryMailed'])
    const [mail = ''] = mails
    expect(mail).toMatch(/^To: owner@art\.example/m)
    expect(mail).toMatch(/^From: site@art\.example/m)
    expect(mail).toMatch(/^Reply-To: Asha Rao <asha@example\.org>/m)
    expect(mail).toMatch(/^Subject: Purchase Existing Work \(from Asha Rao\)/m)
    expect(mail).toContain(`Message-ID: <${id}@art.example>`)
    expect(mail).toContain('Is Haldi still free?')
  })

  it('goes to the saved contact e-mail when the settings name no address', async () => {
    const { mails, port } = await smtp()
    const { app, id } = await received()
    await updateContent(app, { contactEmail: 'leela@art.example' }, null, ownerCommand())
    await mailEnquiry(app, settings(port, null), id)
    expect(mails[0]).toMatch(/^To: leela@art\.example/m)
  })

  it('is not mailed without a mail server or an address, and says so', async () => {
    const { mails, port } = await smtp()
    const off = await received()
    await mailEnquiry(off.app, null, off.id)
    const nobody = await received()
    await mailEnquiry(nobody.app, settings(port, null), nobody.id)
    expect([off.outcomes(), nobody.outcomes(), mails]).toEqual([
      ['EnquiryMailSkipped'],
      ['EnquiryMailSkipped'],
      [],
    ])
  })

  it('is mailed once, however often its job runs', async () => {
    const { mails, port } = await smtp()
    const { app, id } = await received()
    await mailEnquiry(app, settings(port), id)
    await mailEnquiry(app, settings(port), id)
    expect(mails).toHaveLength(1)
  })

  it('is not mailed any more once it is erased', async () => {
    const { mails, port } = await smtp()
    const { app, id } = await received()
    await eraseMessage(app, id, null, ownerCommand())
    await mailEnquiry(app, settings(port), id)
    expect(mails).toEqual([])
  })

  it('waits while the server is down, and is mailed when it is back', async () => {
    const port = await freePort()
    const { app, id, outcomes } = await received()
    await expect(mailEnquiry(app, settings(port), id)).rejects.toThrow('does not answer')
    expect(outcomes()).toEqual([])
    const { mails } = await smtp({}, port)
    await mailEnquiry(app, settings(port), id)
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailed']])
  })

  it('waits when the server says nothing for too long, wherever it falls silent', async () => {
    const patience = { connectionTimeout: 150, greetingTimeout: 150, socketTimeout: 300 }
    const silent: SMTPServerOptions[] = [
      { onConnect: () => {} },
      { onRcptTo: () => {} },
      { onData: (stream) => void stream.resume() },
    ]
    for (const options of silent) {
      const { port } = await smtp(options)
      const { app, id, outcomes } = await received()
      const mailer = openMailer(`smtp://127.0.0.1:${port}`, 'site@art.example', patience)
      await expect(mailEnquiry(app, { ...settings(port), mailer }, id)).rejects.toThrow('does not answer')
      expect(outcomes()).toEqual([])
    }
  })

  it('is mailed by a server that takes its time', async () => {
    const later = (done: () => void): void => void setTimeout(done, 200)
    const { mails, port } = await smtp({
      onConnect: (_session, done) => later(done),
      onRcptTo: (_address, _session, done) => later(done),
    })
    const { app, id, outcomes } = await received()
    await mailEnquiry(app, settings(port), id)
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailed']])
  })

  it('that was taken but not marked is sent again as the very same mail, and marked once', async () => {
    const { mails, port } = await smtp()
    const { app, id, outcomes } = await received()
    const execute: typeof app.executor.execute = async () => {
      throw new Error('killed')
    }
    const dying = { ...app, executor: { ...app.executor, execute } }
    await expect(mailEnquiry(dying, settings(port), id)).rejects.toThrow('killed')
    expect([mails.length, outcomes()]).toEqual([1, []])
    await mailEnquiry(app, settings(port), id)
    await mailEnquiry(app, settings(port), id)
    const ids = mails.map((mail) => /^Message-ID: (.*)$/m.exec(mail)?.[1])
    expect(ids).toEqual([`<${id}@art.example>`, `<${id}@art.example>`])
    expect(outcomes()).toEqual(['EnquiryMailed'])
  })

  it('waits when the server does not take the password, and says which setting is wrong', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => done(new Error('who is asha?'))
    const { port } = await smtp({ onAuth, authOptional: false, allowInsecureAuth: true })
    const { app, id, outcomes } = await received()
    const mailer = openMailer(`smtp://site:wrong@127.0.0.1:${port}`, 'site@art.example')
    await expect(mailEnquiry(app, { ...settings(port), mailer }, id)).rejects.toThrow('SMTP_URL')
    expect(outcomes()).toEqual([])
  })

  it('waits when the server asks to try later', async () => {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) =>
      done(Object.assign(new Error('greylisted'), { responseCode: 451 }))
    const { port } = await smtp({ onRcptTo })
    const { app, id } = await received()
    await expect(mailEnquiry(app, settings(port), id)).rejects.toThrow('try later (451)')
  })

  it('that is refused for good says so without a personal word', async () => {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) =>
      done(Object.assign(new Error('no asha@example.org here'), { responseCode: 550 }))
    const { port } = await smtp({ onRcptTo })
    const { app, id, outcomes, eventStore } = await received()
    await mailEnquiry(app, settings(port), id)
    expect(outcomes()).toEqual(['EnquiryMailRefused'])
    expect(JSON.stringify(eventStore.events.at(-1)?.data)).not.toContain('asha')
  })

  it('cannot smuggle a header or a recipient into the mail', async () => {
    const { mails, port } = await smtp()
    const { app, id } = await received({ name: 'Asha\r\nBcc: all@example.org' as typeof enquiry.name })
    await mailEnquiry(app, settings(port), id)
    expect(mails[0]?.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im)
  })
})

describe('the job', () => {
  const context = (attempt: number) => ({
    id: 'job',
    attempt,
    signal: new AbortController().signal,
    progress: () => {},
  })

  it('tries for a day, then says on the message that it gave up', async () => {
    const { app, id, outcomes } = await received()
    const job = mailEnquiryJob(app, settings(await freePort()))
    let attempts = 1
    let waited = 0
    for (let wait = job.backoff(attempts); wait !== null; wait = job.backoff(attempts)) {
      waited += wait
      attempts += 1
    }
    expect(waited / 3_600_000).toBeGreaterThan(21)
    await expect(job.run({ messageId: id }, context(attempts - 1))).rejects.toThrow()
    expect(outcomes()).toEqual([])
    await expect(job.run({ messageId: id }, context(attempts))).rejects.toThrow()
    expect(outcomes()).toEqual(['EnquiryMailRefused'])
  })
})

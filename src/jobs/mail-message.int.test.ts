import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createSecureServer } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { messageStream } from '#domain/messages/message.ts'
import { envelop } from '#application/kernel/envelope.ts'
import { isOutage } from '#application/kernel/outage.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { asError } from '#application/kernel/reason.ts'
import { mailMessages, type MailSettings } from '#application/messages/mail-message.ts'
import { eraseMessage, receiveMessage } from '#application/messages/messages.ts'
import { updateContent } from '#application/site-content/site-content.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { MailRefused } from '#application/ports/mailer.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { mailMessageJob, type MailPace } from './mail-message.ts'

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

/** A server that says `greeting` to whoever connects, and then whatever `talk` has it say. */
const talker = async (secure: boolean, greeting: string, talk: (client: Socket) => void) => {
  const connected = (client: Socket): void => {
    // Whoever hangs up on it is in the right.
    client.on('error', () => undefined)
    client.write(greeting)
    talk(client)
  }
  const pair = (name: string) => readFileSync(new URL(name, testData))
  const server = secure
    ? createSecureServer({ key: pair('localhost.key.pem'), cert: pair('localhost.pem') }, connected)
    : createServer(connected)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  // Listening on a port, so its address is not a path.
  return { port: (server.address() as AddressInfo).port }
}
const testData = new URL('../infrastructure/cluster/test-data/', import.meta.url)

/** Its mail stays to be sent, and the connection is over. */
const expectGivenUp = async (url: string, reason: string, talk = 60_000): Promise<void> => {
  const { app, effects, id, outcomes } = await received()
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000, talk }
  const mailer = openMailer(url, 'site@art.example', timeouts)
  await expect(mailMessages({ app, effects }, { ...settings(0), mailer }, [id])).rejects.toThrow(
    `The mail server does not answer (${reason})`,
  )
  expect(outcomes()).toEqual([])
}

const settings = (port: number, mailTo: string | null = 'owner@art.example'): MailSettings => ({
  mailer: openMailer(`smtp://127.0.0.1:${port}`, 'site@art.example'),
  mailTo,
  publicUrl: 'https://art.example',
})

const newMessage = {
  name: 'Asha Rao',
  email: 'asha@example.org',
  message: 'Is Haldi still free?\n.\nYours, Asha',
  subject: 'purchase',
  artworkId: null,
} as const

const received = async (input: Partial<typeof newMessage> = {}) => {
  const test = { ...testApplication(), effects: memoryLedger() }
  const { id } = await receiveMessage(test.app, { ...newMessage, ...input }, ownerCommand())
  const outcomes = () => test.eventStore.events.slice(1).map((event) => event.type)
  return { ...test, id, outcomes }
}

describe('an enquiry', () => {
  it('is mailed to the owner, answerable to the visitor, with a lasting Message-ID', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    await mailMessages({ app, effects }, settings(port), [id])
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
    const { app, effects, id } = await received()
    await updateContent(app, { contactEmail: 'leela@art.example' }, null, ownerCommand())
    await mailMessages({ app, effects }, settings(port, null), [id])
    expect(mails[0]).toMatch(/^To: leela@art\.example/m)
  })

  it('is not mailed without a mail server or an address, and says so', async () => {
    const { mails, port } = await smtp()
    const off = await received()
    await mailMessages(off, null, [off.id])
    const nobody = await received()
    await mailMessages(nobody, settings(port, null), [nobody.id])
    expect([off.outcomes(), nobody.outcomes(), mails]).toEqual([
      ['EnquiryMailSkipped'],
      ['EnquiryMailSkipped'],
      [],
    ])
  })

  it('is mailed once, however often its job runs', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received()
    await mailMessages({ app, effects }, settings(port), [id])
    await mailMessages({ app, effects }, settings(port), [id])
    expect(mails).toHaveLength(1)
  })

  it('is not mailed any more once it is erased', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received()
    await eraseMessage(app, id, null, ownerCommand())
    await mailMessages({ app, effects }, settings(port), [id])
    expect(mails).toEqual([])
  })

  it('waits while its key is gone that nobody erased, and leaves the others their mail', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const { id: other } = await receiveMessage(app, { ...newMessage, name: 'Ravi' }, ownerCommand())
    // As when an older copy of the vault was put in its place.
    const open: typeof app.keyVault.open = async (subjectId, sealed) =>
      subjectId === id ? null : app.keyVault.open(subjectId, sealed)
    const older = { ...app, keyVault: { ...app.keyVault, open } }
    const before = outcomes()
    const lost = await mailMessages({ app: older, effects }, settings(port), [id]).catch(asError)
    expect([isOutage(lost), String(lost)]).toEqual([true, expect.stringContaining('"atelier doctor"')])
    expect([outcomes(), mails]).toEqual([before, []])

    expect(await mailMessages({ app: older, effects }, settings(port), [other, id])).toBe(1)
    expect(await mailMessages({ app, effects }, settings(port), [id])).toBe(1)
    expect(mails).toHaveLength(2)
  })

  it('of a burst is mailed also beside one whose key is damaged', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received()
    const { id: damaged } = await receiveMessage(app, { ...newMessage, name: 'Ravi' }, ownerCommand())
    const open: typeof app.keyVault.open = async (subjectId, sealed) => {
      if (subjectId === damaged) throw new Error('Unsupported state or unable to authenticate data')
      return app.keyVault.open(subjectId, sealed)
    }
    const broken = { ...app, keyVault: { ...app.keyVault, open } }
    expect(await mailMessages({ app: broken, effects }, settings(port), [id, damaged])).toBe(1)
    expect(mails).toHaveLength(1)
    const alone = mailMessages({ app: broken, effects }, settings(port), [damaged])
    await expect(alone).rejects.toThrow('unable to authenticate')
  })

  it('of a burst is mailed also beside one of which something in the log cannot be read', async () => {
    const { mails, port } = await smtp()
    const { app, effects, eventStore, id } = await received()
    const { id: rotted } = await receiveMessage(app, { ...newMessage, name: 'Ravi' }, ownerCommand())
    const stream = messageStream(rotted)
    const [read] = envelop([{ type: 'MessageMarkedRead', data: {} }], stream, ownerCommand())
    await eventStore.append(stream, 0, read === undefined ? [] : [{ ...read, schemaVersion: 0 }])
    expect(await mailMessages({ app, effects }, settings(port), [id, rotted])).toBe(1)
    expect(mails).toHaveLength(1)
    await expect(mailMessages({ app, effects }, settings(port), [rotted])).rejects.toThrow('version 0')
  })

  it('is not mailed while its erasure is only to be finished, and does not wait for that', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    await app.keyVault.erase(id)
    await mailMessages({ app, effects }, settings(port), [id])
    expect([outcomes(), mails]).toEqual([['EnquiryMailSkipped'], []])
  })

  it('that is erased while its mail is under way leaves the others of that mail mailed once', async () => {
    const { app, effects, id, eventStore } = await received()
    const { id: other } = await receiveMessage(app, { ...newMessage, name: 'Ravi' }, ownerCommand())
    let sent = 0
    const mailer: MailSettings['mailer'] = {
      send: async () => {
        sent += 1
        await eraseMessage(app, id, null, ownerCommand())
      },
    }
    const mailing = { mailer, mailTo: 'owner@art.example', publicUrl: 'https://art.example' }
    await mailMessages({ app, effects }, mailing, [id, other])
    await mailMessages({ app, effects }, mailing, [id, other])
    expect(sent).toBe(1)
    expect(eventStore.events.map(({ type }) => type).slice(2)).toEqual(['MessageErased', 'EnquiryMailed'])
  })

  it('that is mailed by the job of one that was erased carries its own correlation', async () => {
    const { port } = await smtp()
    const { app, effects, id, eventStore } = await received()
    const { id: other } = await receiveMessage(app, { ...newMessage, name: 'Ravi' }, ownerCommand())
    await eraseMessage(app, id, null, ownerCommand())
    await mailMessages({ app, effects }, settings(port), [id, other], { correlationId: 'of the erased one' })
    const mailed = eventStore.events.filter(({ type }) => type === 'EnquiryMailed')
    expect(mailed.map(({ meta }) => meta.correlationId)).toEqual([other])
  })

  it('waits while the server is down, and is mailed when it is back', async () => {
    const port = await freePort()
    const { app, effects, id, outcomes } = await received()
    await expect(mailMessages({ app, effects }, settings(port), [id])).rejects.toThrow('does not answer')
    expect(outcomes()).toEqual([])
    const { mails } = await smtp({}, port)
    await mailMessages({ app, effects }, settings(port), [id])
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailed']])
  })

  it('waits when the server says nothing for too long, wherever it falls silent', async () => {
    const timeouts = { connectionTimeout: 150, greetingTimeout: 150, socketTimeout: 300, talk: 60_000 }
    const silent: SMTPServerOptions[] = [
      { onConnect: () => {} },
      { onRcptTo: () => {} },
      { onData: (stream) => void stream.resume() },
    ]
    for (const options of silent) {
      const { port } = await smtp(options)
      const { app, effects, id, outcomes } = await received()
      const mailer = openMailer(`smtp://127.0.0.1:${port}`, 'site@art.example', timeouts)
      await expect(mailMessages({ app, effects }, { ...settings(port), mailer }, [id])).rejects.toThrow(
        'does not answer',
      )
      expect(outcomes()).toEqual([])
    }
  })

  it.each([
    ['without a greeting', 'smtp', ''],
    ['behind its greeting', 'smtp', '220 hello\r\n'],
    ['over TLS', 'smtps', '220 hello\r\n'],
  ])('waits when the server sends without an end, %s', async (_, scheme, greeting) => {
    const { port } = await talker(scheme === 'smtps', greeting, (client) => {
      const more = Buffer.alloc(64 * 1024, '\n')
      const send = (): void => {
        while (!client.destroyed && client.write(more));
      }
      client.on('drain', send)
      send()
    })
    await expectGivenUp(`${scheme}://127.0.0.1:${port}/?tls.rejectUnauthorized=false`, 'EPROTOCOL')
  })

  it('waits when the server answers a line now and then for ever', async () => {
    const { port } = await talker(false, '220 hello\r\n', (client) => {
      const drip = (): void => {
        const dripping = setInterval(() => client.write('250-one more\r\n'), 10)
        client.once('close', () => clearInterval(dripping))
      }
      client.on('data', (said) => (String(said).startsWith('MAIL') ? drip() : client.write('250 well\r\n')))
    })
    await expectGivenUp(`smtp://127.0.0.1:${port}`, 'ETIMEDOUT', 500)
  })

  it('is mailed by a server that takes its time', async () => {
    const later = (done: () => void): void => void setTimeout(done, 200)
    const { mails, port } = await smtp({
      onConnect: (_session, done) => later(done),
      onRcptTo: (_address, _session, done) => later(done),
    })
    const { app, effects, id, outcomes } = await received()
    await mailMessages({ app, effects }, settings(port), [id])
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailed']])
  })

  /** Fails as everything does whose process ends. */
  const killed = async (): Promise<never> => {
    throw new Error('killed')
  }

  it('that was taken but not marked is sent again as the very same mail, and marked once', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const dying = {
      app: { ...app, executor: { ...app.executor, execute: killed } },
      effects: { ...effects, done: killed },
    }
    await expect(mailMessages(dying, settings(port), [id])).rejects.toThrow('killed')
    expect([mails.length, outcomes()]).toEqual([1, []])
    await mailMessages({ app, effects }, settings(port), [id])
    await mailMessages({ app, effects }, settings(port), [id])
    const ids = mails.map((mail) => /^Message-ID: (.*)$/m.exec(mail)?.[1])
    expect(ids).toEqual([`<${id}@art.example>`, `<${id}@art.example>`])
    expect(outcomes()).toEqual(['EnquiryMailed'])
  })

  it('that comes again with others is another mail: no mailbox that shows each mail once hides those', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received()
    const both = [id, (await receiveMessage(app, newMessage, ownerCommand())).id]
    const dying = {
      app: { ...app, executor: { ...app.executor, execute: killed } },
      effects: { ...effects, done: killed },
    }
    for (const ids of [both, both, [...both, (await receiveMessage(app, newMessage, ownerCommand())).id]])
      await expect(mailMessages(dying, settings(port), ids)).rejects.toThrow('killed')
    const [first, again, more] = mails.map((mail) => /^Message-ID:\s+(.*)$/m.exec(mail)?.[1])
    expect([first, again]).toEqual([expect.stringContaining(id), first])
    expect(more).not.toBe(first)
  })

  it('that the log could not be told of is not sent again, but told later', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes, eventStore } = await received()
    const away = { ...app, executor: { ...app.executor, execute: killed } }
    for (let tries = 1; tries <= 3; tries += 1)
      await expect(mailMessages({ app: away, effects }, settings(port), [id])).rejects.toThrow('killed')
    await mailMessages({ app, effects }, settings(port), [id])
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailed']])
    expect(eventStore.events.at(-1)?.data).toEqual({ mailId: `<${id}@art.example>` })
  })

  it('waits unsent while it could not be noted', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const refusing = { ...effects, started: killed }
    await expect(mailMessages({ app, effects: refusing }, settings(port), [id])).rejects.toThrow('killed')
    expect([mails.length, outcomes()]).toEqual([0, []])
  })

  it('waits when the server does not take the password, and says which setting is wrong', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => done(new Error('who is asha?'))
    const { port } = await smtp({ onAuth, authOptional: false, allowInsecureAuth: true })
    const { app, effects, id, outcomes } = await received()
    const mailer = openMailer(`smtp://site:wrong@127.0.0.1:${port}`, 'site@art.example')
    await expect(mailMessages({ app, effects }, { ...settings(port), mailer }, [id])).rejects.toThrow(
      'SMTP_URL',
    )
    expect(outcomes()).toEqual([])
  })

  it('waits when the server takes no mail from here or for her, and says which settings to look at', async () => {
    const refuse = (_: unknown, _session: unknown, done: (error: Error) => void): void =>
      done(Object.assign(new Error('no asha@example.org here'), { responseCode: 550 }))
    const refusing: SMTPServerOptions[] = [
      { onMailFrom: refuse },
      { onRcptTo: refuse },
      { onConnect: (_, done) => done(Object.assign(new Error('not from you'), { responseCode: 554 })) },
    ]
    for (const options of refusing) {
      const { port } = await smtp(options)
      const { app, effects, id, outcomes } = await received()
      const error = await mailMessages({ app, effects }, settings(port), [id]).catch(asError)
      expect(String(error)).toMatch(
        /takes no mail by these settings \(55\d\): look at SMTP_URL, MAIL_FROM and MAIL_TO$/,
      )
      expect(outcomes()).toEqual([])
    }
  })

  describe('by a server that wants a password', () => {
    const tls = (name: string) => readFileSync(new URL(name, testData))
    /** As another machine is named: Linux takes it for this one. */
    const mailerTo = (port: number, more: string) =>
      openMailer(`smtp://site:secret@0.0.0.0:${port}/${more}`, 'site@art.example')
    const asking = async (options: SMTPServerOptions) => {
      const logins: string[] = []
      const server = await smtp({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username = '' }, { secure }, done) => {
          logins.push(`${username}, ${secure ? 'encrypted' : 'for all to read'}`)
          done(null, { user: username })
        },
        ...options,
      })
      return { ...server, logins }
    }

    it('waits where the way to it is not encrypted, and sends no password', async () => {
      const { port, logins } = await asking({})
      const { app, effects, id, outcomes } = await received()
      const mailer = mailerTo(port, '')
      await expect(mailMessages({ app, effects }, { ...settings(port), mailer }, [id])).rejects.toThrow(
        'The mail server takes no encryption (STARTTLS)',
      )
      expect([logins, outcomes()]).toEqual([[], []])
    })

    it.each([
      ['encrypted', [], '?tls.rejectUnauthorized=false'],
      ['for all to read', ['STARTTLS'], '?requireTLS=false'],
    ])('is mailed %s where that is so or may be', async (how, disabledCommands, more) => {
      const pair = { key: tls('localhost.key.pem'), cert: tls('localhost.pem') }
      const { mails, port, logins } = await asking({ ...pair, disabledCommands })
      const { app, effects, id } = await received()
      const mailer = mailerTo(port, more)
      await mailMessages({ app, effects }, { ...settings(port), mailer }, [id])
      expect([mails.length, logins]).toEqual([1, [`site, ${how}`]])
    })
  })

  it('waits when the server asks to try later', async () => {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) =>
      done(Object.assign(new Error('greylisted'), { responseCode: 451 }))
    const { port } = await smtp({ onRcptTo })
    const { app, effects, id } = await received()
    await expect(mailMessages({ app, effects }, settings(port), [id])).rejects.toThrow('try later (451)')
  })

  it('that is refused for good says so without a personal word', async () => {
    const onData: SMTPServerOptions['onData'] = (stream, _session, done) =>
      void text(stream).then(() => done(Object.assign(new Error('asha is spam'), { responseCode: 554 })))
    const { port } = await smtp({ onData })
    const { app, effects, id, outcomes, eventStore } = await received()
    await mailMessages({ app, effects }, settings(port), [id])
    expect(outcomes()).toEqual(['EnquiryMailRefused'])
    expect(JSON.stringify(eventStore.events.at(-1)?.data)).not.toContain('asha')
  })

  it('cannot smuggle a header or a recipient into the mail', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received({
      name: 'Asha\r\nBcc: all@example.org' as typeof newMessage.name,
    })
    await mailMessages({ app, effects }, settings(port), [id])
    expect(mails[0]?.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im)
  })
})

const nobody = async (): Promise<readonly string[]> => []

describe('the job', () => {
  const context = (attempt: number) => ({
    id: 'job',
    attempt,
    apart: false,
    again: false,
    signal: new AbortController().signal,
    progress: () => {},
  })
  const hoursOf = (waitOf: (times: number) => number | null): number => {
    let waited = 0
    let times = 1
    for (let wait = waitOf(times); wait !== null; wait = waitOf(times)) {
      waited += wait
      times += 1
    }
    return waited / 3_600_000
  }

  it('is not sent by one who has lost its turn meanwhile, as another may send it', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const turn = new AbortController()
    const slow = {
      ...effects,
      started: async (...note: Parameters<typeof effects.started>) => {
        await effects.started(...note)
        turn.abort(new EngineAway('mongodb', 'The lease mail-enquiry was lost'))
      },
    }
    const job = mailMessageJob({ app, effects: slow }, settings(port), async () => [])
    const running = job.run({ messageId: id }, { ...context(1), signal: turn.signal })
    await expect(running).rejects.toThrow('The lease mail-enquiry was lost')
    expect([mails, outcomes()]).toEqual([[], []])
  })

  it('tries for a day, however it fails, then says on the message that it gave up', async () => {
    const { app, effects, id, outcomes } = await received()
    const job = mailMessageJob({ app, effects }, settings(await freePort()), nobody)
    expect(hoursOf(job.backoff)).toBeGreaterThan(21)
    const interrupted = hoursOf(job.afterInterruption ?? (() => null))
    expect(interrupted).toBeGreaterThanOrEqual(24)
    expect(interrupted).toBeLessThan(26)
    await expect(job.run({ messageId: id }, context(99))).rejects.toThrow('The mail server does not answer')
    expect(outcomes()).toEqual([])
    await job.parked?.({ messageId: id }, 'whatever')
    await job.parked?.({ messageId: id }, 'whatever')
    expect(outcomes()).toEqual(['EnquiryMailRefused'])
  })

  it('mails letters of a burst together, each of them once', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, eventStore } = await received()
    const ids = [id]
    for (const name of ['Bina', 'Chitra', 'Devi', 'Esha', 'Farah']) {
      ids.push(
        (await receiveMessage(app, { ...newMessage, name, message: `I am ${name}` }, ownerCommand())).id,
      )
    }
    const queue = [...ids]
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    ending.push(() => clock.mockRestore())
    // Asked once the wait is over.
    const waiting = async (): Promise<readonly string[]> => {
      clock.mockReturnValue(20)
      return queue
    }
    const job = mailMessageJob({ app, effects }, settings(port), waiting, { mails: 2, windowMs: 20 })
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await job.run({ messageId: next }, context(1))
    }
    expect(mails).toHaveLength(3)
    const [, , together = ''] = mails
    expect(together).toMatch(/^Subject: 4 letters from your website$/m)
    expect(together).not.toMatch(/^Reply-To:/m)
    for (const name of ['Chitra', 'Devi', 'Esha', 'Farah']) expect(together).toContain(`I am ${name}`)
    const mailed = eventStore.events.filter(({ type }) => type === 'EnquiryMailed')
    expect(mailed.map(({ stream }) => stream)).toEqual(ids.map((one) => `message-${one}`))
  })

  /** A burst of five letters, of which the server does not take the text of the third. */
  const burstWith = async (responseCode: number) => {
    const mails: string[] = []
    const { port } = await smtp({
      onData: (stream, _session, done) =>
        void text(stream).then((mail) => {
          if (mail.includes('no server takes this')) {
            done(Object.assign(new Error('spam'), { responseCode }))
            return
          }
          mails.push(mail)
          done()
        }),
    })
    const { app, effects, id, eventStore } = await received()
    const ids = [id]
    for (const message of ['I am Bina', 'no server takes this', 'I am Devi', 'I am Esha']) {
      ids.push((await receiveMessage(app, { ...newMessage, message }, ownerCommand())).id)
    }
    const outcomes = () => {
      const last = new Map(eventStore.events.map(({ stream, type }) => [stream, type]))
      return ids.map((each) => last.get(`message-${each}`))
    }
    const mail = (some: readonly string[]) => mailMessages({ app, effects }, settings(port), some)
    const job = (waiting: () => Promise<readonly string[]>, pace: MailPace) =>
      mailMessageJob({ app, effects }, settings(port), waiting, pace)
    return { ids, mails, mail, job, outcomes }
  }

  it.each([
    [550, 'EnquiryMailRefused'],
    [451, 'MessageReceived'],
  ])('of a burst is mailed also when the server answers the text of another one %i', async (code, third) => {
    const { ids, mails, mail, outcomes } = await burstWith(code)
    expect(await mail(ids)).toBe(4)
    const came = mails.join('')
    for (const words of ['Is Haldi still free?', 'I am Bina', 'I am Devi', 'I am Esha'])
      expect(came.split(words)).toHaveLength(2)
    expect(outcomes()).toEqual(['EnquiryMailed', 'EnquiryMailed', third, 'EnquiryMailed', 'EnquiryMailed'])
  })

  it('of a burst is in no further mail once it is erased, also where one that had it was refused', async () => {
    const { app, effects, id } = await received()
    const { id: other } = await receiveMessage(app, { ...newMessage, message: 'I am Bina' }, ownerCommand())
    const texts: string[] = []
    const mailer: MailSettings['mailer'] = {
      ...settings(0).mailer,
      send: async ({ text: sent }) => {
        texts.push(sent)
        if (texts.length > 1) return
        await eraseMessage(app, id, null, ownerCommand())
        throw new MailRefused('It was not taken', true)
      },
    }
    expect(await mailMessages({ app, effects }, { ...settings(0), mailer }, [id, other])).toBe(1)
    expect(texts.map((each) => [each.includes('Is Haldi still free?'), each.includes('I am Bina')])).toEqual([
      [true, true],
      [false, true],
    ])
  })

  it('leaves what does not go in one mail of a burst to the pace', async () => {
    const { ids, mails, job, outcomes } = await burstWith(550)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    ending.push(() => clock.mockRestore())
    let now = 0
    // Asked once the wait is over.
    const waiting = async (): Promise<readonly string[]> => {
      clock.mockReturnValue((now += 20))
      return ids.slice(1)
    }
    const { run } = job(waiting, { mails: 1, windowMs: 20 })
    const mailed: number[] = []
    for (const messageId of ids) {
      await run({ messageId }, context(1))
      mailed.push(mails.length)
    }
    expect(mailed).toEqual([1, 2, 3, 3, 4])
    expect(outcomes()).toEqual([
      'EnquiryMailed',
      'EnquiryMailed',
      'EnquiryMailRefused',
      'EnquiryMailed',
      'EnquiryMailed',
    ])
  })

  it('that is asked to come later waits by its own job, whatever that has brought along', async () => {
    const { ids, mail, outcomes } = await burstWith(451)
    const [first = '', second = '', third = ''] = ids
    await expect(mail([third, first])).rejects.toThrow('try later (451)')
    expect(await mail([first, second, third])).toBe(2)
    expect(outcomes().slice(0, 3)).toEqual(['EnquiryMailed', 'EnquiryMailed', 'MessageReceived'])
  })

  it('leaves a letter of a burst to the next start when the site stops meanwhile', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const other = await receiveMessage(app, newMessage, ownerCommand())
    const job = mailMessageJob({ app, effects }, settings(port), nobody, { mails: 1, windowMs: 3_600_000 })
    await job.run({ messageId: id }, context(1))
    const stopping = new AbortController()
    const waiting = job.run({ messageId: other.id }, { ...context(99), signal: stopping.signal })
    stopping.abort(new Error('The server is stopping'))
    await expect(waiting).rejects.toThrow('The server is stopping')
    expect(mails).toHaveLength(1)
    expect(outcomes()).not.toContain('EnquiryMailRefused')
  })

  it('is the sixth in ten minutes that waits for others', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id } = await received()
    const job = mailMessageJob({ app, effects }, settings(port), nobody)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    ending.push(() => clock.mockRestore())
    await job.run({ messageId: id }, context(1))
    for (let mailed = 1; mailed <= 4; mailed += 1) {
      const { id: other } = await receiveMessage(app, newMessage, ownerCommand())
      await job.run({ messageId: other }, context(1))
    }
    const { id: sixth } = await receiveMessage(app, newMessage, ownerCommand())
    const signal = AbortSignal.abort(new Error('The server is stopping'))
    clock.mockReturnValue(599_999)
    await expect(job.run({ messageId: sixth }, { ...context(1), signal })).rejects.toThrow('is stopping')
    // It has not come so far as to be sent.
    expect([mails.length, await effects.find(`mail ${sixth}`)]).toEqual([5, null])
    clock.mockReturnValue(600_000)
    await job.run({ messageId: sixth }, context(1))
    expect(mails).toHaveLength(6)
  })

  it('is mailed all the same when a person asks for it again after that', async () => {
    const { mails, port } = await smtp()
    const { app, effects, id, outcomes } = await received()
    const job = mailMessageJob({ app, effects }, settings(port), nobody)
    await job.parked?.({ messageId: id }, 'whatever')
    await job.run({ messageId: id }, context(1))
    expect([mails.length, outcomes()]).toEqual([1, ['EnquiryMailRefused', 'EnquiryMailed']])
  })
})

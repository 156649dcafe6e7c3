import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MongoClient } from 'mongodb'
import { SMTPServer } from 'smtp-server'
import { expect, it, vi } from 'vitest'
import { freePort } from '#infrastructure/testing/free-port.ts'
import type { Site } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

/*
 * A message waits for its mail server while the site loses its log. What became of a mail could not be recorded then:
 * it would be sent again at every try.
 */

const patient = { timeout: 60_000, interval: 100 }

/** Lets the log look as if it ended before the place that it had reached. @returns what makes it whole again */
const loseLog = async (site: Site): Promise<() => Promise<void>> => {
  const { MONGODB_URL: url, NAMESPACE: namespace } = site.env
  if (url === undefined) {
    const path = join(site.dataDir, 'log.mark')
    // It is written a while after the first event.
    const mark = await vi.waitFor(async () => {
      const written = await readFile(path, 'utf8')
      expect(written).toMatch(/\d{16}/)
      return written
    }, patient)
    await writeFile(path, mark.replace(/\d{16}/, '9'.repeat(16)))
    return () => writeFile(path, mark)
  }
  const client = new MongoClient(url)
  type Mark = { readonly _id: string; readonly position: string | null }
  const marks = client.db().collection<Mark>(`${namespace}.about`)
  const mark = await marks.findOne({ _id: 'log' })
  await marks.updateOne({ _id: 'log' }, { $set: { position: `7${'f'.repeat(15)}-7${'f'.repeat(15)}` } })
  return async () => {
    await marks.updateOne({ _id: 'log' }, { $set: { position: mark?.position ?? null } })
    await client.close()
  }
}

/** A mail server; `mails` holds what it took. */
const startSmtp = async (port: number) => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void text(stream).then((mail) => {
        mails.push(mail)
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return { mails, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

await describeAttacks('a mail while the log is lost', (start) => {
  it('waits without being sent or counted, and goes once', async () => {
    const port = await freePort()
    const site = await start({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'site@art.example',
      MAIL_TO: 'owner@art.example',
    })
    try {
      const written = await fetch(`${site.url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Asha', email: 'a@example.org', subject: 'general', message: 'Hello' }),
      })
      expect(written.status).toBe(201)
      await vi.waitFor(() => expect(site.output()).toContain('will be tried again'), patient)
      const mend = await loseLog(site)
      await vi.waitFor(() => expect(site.output()).toContain('Until then nothing is saved'), patient)
      const smtp = await startSmtp(port)
      const waits = 'A job waits until the site can work again'
      await vi.waitFor(() => expect(site.output()).toContain(waits), patient)
      expect(smtp.mails).toHaveLength(0)
      await mend()
      await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), patient)
      await smtp.close()
    } finally {
      await site.stop()
    }
  })
})

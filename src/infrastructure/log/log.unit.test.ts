import { expect, it } from 'vitest'
import { readConfig, settingNames } from '../config/config.ts'
import { createLog } from './log.ts'

const password = 'fourteen-pears-hidden-in-a-password'
const secrets = {
  SECRET: password,
  ADMIN_PASSWORD: password,
  SMTP_URL: `smtps://u:${password}@mail.example`,
  METRICS_TOKEN: password,
  EVENTSTORE_URL: `esdb://u:${password}@log.example:2113`,
  MONGODB_URL: 'mongodb://u@documents.example',
  MONGODB_PASSWORD: password,
  REDIS_URL: 'redis://u@jobs.example',
  REDIS_PASSWORD: password,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${password}`,
}

it('no secret of the settings is written by whoever logs them', () => {
  const given = settingNames.filter((name) => settingNames.includes(`${name}_FILE`))
  expect(Object.keys(secrets).toSorted()).toEqual(given.toSorted())
  const others = { MAIL_FROM: 'a@art.example', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const config = readConfig({ ...secrets, ...others })
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).info({ config }, 'Settings')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines.join())).toMatchObject({ config: { mailFrom: others.MAIL_FROM } })
  expect(lines.join().match(/"[^"]+":"[^"]*fourteen-pears[^"]*"/g)).toBeNull()
})

it('nor what Redis was greeted with, where it refuses that', () => {
  const lines: string[] = []
  const refused = Object.assign(new Error('ERR max number of clients reached'), {
    command: { name: 'hello', args: ['3', 'AUTH', 'default', password] },
  })
  createLog('info', { write: (line) => void lines.push(line) }).warn(
    { err: refused },
    'Redis does not answer',
  )
  expect(lines.join()).toContain('max number of clients')
  expect(lines.join()).not.toContain(password)
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, environmentWithFile, configOf, readConfig, settings } from './config.ts'

const mistakesOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

describe('settings', () => {
  it('have defaults that need nothing', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      roles: ['web', 'projector', 'worker'],
      adminUsername: 'admin',
      adminPassword: null,
      samples: 'auto',
      trustProxy: 0,
      fetchAllowPrivate: false,
    })
  })

  it.each([
    'https://art.example/',
    'HTTPS://Art.Example',
    ' https://art.example:443',
    'https://art.example/#',
    'https://art.example?',
  ])('take the public address %j as browsers write it, without its last slash', (address) => {
    expect(readConfig({ PUBLIC_URL: address }).publicUrl).toBe('https://art.example')
  })

  it('count an empty value as unset', () => {
    expect(readConfig({ PORT: '', SECRET: ' ' })).toMatchObject({ port: 3000, secret: null })
  })

  it('name every mistake at once', () => {
    const mistakes = mistakesOf({
      PORT: 'abc',
      SAMPLES: 'maybe',
      LOG_LEVEL: 'loud',
      SMTP_URL: 'smtp://localhost',
    })
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual([
      'PORT',
      'SAMPLES',
      'LOG_LEVEL',
      'MAIL_FROM',
    ])
  })

  it('say which levels a log has', () => {
    expect(mistakesOf({ LOG_LEVEL: 'loud' })).toEqual([
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ])
  })

  it('say which forms a log has', () => {
    expect(readConfig({}).logFormat).toBe('auto')
    expect(mistakesOf({ LOG_FORMAT: 'pretty' })).toEqual(['LOG_FORMAT must be auto, json or text'])
  })

  it.each([
    [{ PUBLIC_URL: 'https://asha:secret@art.example' }, 'PUBLIC_URL may hold no name, password, ? or #'],
    [{ PUBLIC_URL: 'https://art.example/?from=card' }, 'PUBLIC_URL may hold no name, password, ? or #'],
    [{ ADMIN_USERNAME: '\u202E' }, 'ADMIN_USERNAME must be a name that can be typed and seen'],
    [{ ADMIN_USERNAME: 'asha\nrao' }, 'ADMIN_USERNAME must be a name that can be typed and seen'],
    [{ MAIL_FROM: 'the site' }, 'MAIL_FROM must be an e-mail address'],
    [{ MAIL_FROM: 'a@art.example\r\nBcc: b@art.example' }, 'MAIL_FROM must be an e-mail address'],
  ])('are refused where nobody could sign in, write or read by them: %j', (given, words) => {
    expect(mistakesOf(given)).toEqual([words])
  })

  it.each(['DATA_DIR', 'BACKUP_DIR', 'ASSETS_DIR'])('let %s lie nowhere in /proc', (name) => {
    for (const place of ['/proc', '/proc/art', '/srv/../proc/1/art'])
      expect(mistakesOf({ [name]: place })).toEqual([`${name} may not lie in /proc, where nothing is kept`])
    for (const place of ['/process', '/srv/proc/art']) expect(mistakesOf({ [name]: place })).toEqual([])
  })

  it.each(['DATA_DIR', 'BACKUP_DIR', 'ASSETS_DIR'])(
    'let %s begin with no ~, which only a shell reads',
    (name) => {
      for (const place of ['~', '~/art'])
        expect(mistakesOf({ [name]: place })).toEqual([
          expect.stringMatching(`${name} begins with ~, .*whole path`),
        ])
      for (const place of ['./~/art', '/srv/~', '~art']) expect(mistakesOf({ [name]: place })).toEqual([])
    },
  )

  it('name no folder for backups that a start empties', () => {
    const words = 'BACKUP_DIR may not lie in the folder scratch of DATA_DIR, which each start empties'
    const refused = (place: string) => mistakesOf({ DATA_DIR: '/srv/art', BACKUP_DIR: place })
    for (const place of ['/srv/art/scratch', '/srv/art/x/../scratch/nights'])
      expect(refused(place)).toEqual([words])
    expect(refused('/srv/art/files/.incoming/nights')).toEqual([words.replace('scratch', 'files/.incoming')])
    for (const place of [
      '/srv/art/backups',
      '/srv/art/scratch-disk',
      '/srv/scratch',
      '/srv/art/files/nights',
    ])
      expect(mistakesOf({ DATA_DIR: '/srv/art', BACKUP_DIR: place })).toEqual([])
  })

  it.each([
    'site@art.example',
    'Asha Rao <site@art.example>',
    '"Rao, Asha" <site@localhost>',
    'site@art.example (Asha Rao)',
  ])('take %s as who mail comes from', (from) => {
    expect(readConfig({ MAIL_FROM: from }).mailFrom).toBe(from)
  })

  it('take a name in any script', () => {
    expect(readConfig({ ADMIN_USERNAME: 'आशा क्‍ष' }).adminUsername).toBe('आशा क्‍ष')
  })

  it('never repeat the value of a secret', () => {
    expect(mistakesOf({ SECRET: 'hunter2-hunter2', ADMIN_PASSWORD: 'short!!' }).join()).not.toMatch(
      /hunter2|short!!/,
    )
  })

  it('say of each address of a server what is wrong with it', () => {
    const settings = {
      EVENTSTORE_URL: 'esdb://admin:hun/ter2@localhost:2113',
      MONGODB_URL: 'mongodb://atelier:hun@ter2@localhost/site',
      REDIS_URL: 'redis://localhost:99999',
      SMTP_URL: 'smtp://user:hun#ter2@localhost',
      SECRET: 'x'.repeat(32),
      MAIL_FROM: 'art@example.com',
    }
    const inAccount = 'in its name or password, which must be percent-encoded there: write'
    expect(mistakesOf(settings)).toEqual([
      `EVENTSTORE_URL has a / ${inAccount} %2F`,
      `MONGODB_URL has a @ ${inAccount} %40`,
      'REDIS_URL has a port that is no number up to 65535',
      `SMTP_URL has a # ${inAccount} %23`,
    ])
    expect(mistakesOf({ EVENTSTORE_URL: 'esdb://admin:hunter2@localhost?tsl=false' }).join()).toMatch(
      /^EVENTSTORE_URL has an option that is not known/,
    )
  })

  it('demand a shared secret with MongoDB', () => {
    expect(mistakesOf({ MONGODB_URL: 'mongodb://localhost/x' }).join()).toMatch(/^SECRET is needed/)
  })

  it('refuse fewer than three roles on embedded engines', () => {
    expect(mistakesOf({ ROLES: 'web' }).join()).toMatch(/EVENTSTORE_URL, MONGODB_URL, REDIS_URL/)
  })

  it('accept one role when all three engines are servers', () => {
    const config = readConfig({
      ROLES: 'web',
      EVENTSTORE_URL: 'esdb://localhost:2113?tls=false',
      MONGODB_URL: 'mongodb://a:27017,b:27017/site',
      REDIS_URL: 'redis://localhost',
      SECRET: 'x'.repeat(32),
    })
    expect(config.roles).toEqual(['web'])
  })

  it('let the environment win over the file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'atelier-env-')), '.env')
    writeFileSync(file, 'PORT=4000\nHOST=0.0.0.0\n')
    expect(environmentWithFile({ PORT: '5000' }, file)).toMatchObject({ PORT: '5000', HOST: '0.0.0.0' })
    // An empty value sets nothing, here as everywhere.
    expect(environmentWithFile({ HOST: '' }, file)).toMatchObject({ HOST: '0.0.0.0' })
  })

  it('stand in a file whose first line has the mark that some editors put there', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'atelier-env-')), '.env')
    writeFileSync(file, '\uFEFFDATA_DIR=/srv/art\nPORT=4000\n')
    expect(environmentWithFile({}, file)).toEqual({ DATA_DIR: '/srv/art', PORT: '4000' })
  })

  it.each([
    ['UTF-16', Buffer.from('\uFEFFPORT=4000\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('PORT=4000\n', 'utf16le')],
  ])('are refused in a file of %s, in which none would be found', (_, bytes) => {
    const file = join(mkdtempSync(join(tmpdir(), 'atelier-env-')), '.env')
    writeFileSync(file, bytes)
    expect(() => environmentWithFile({}, file)).toThrow(`${file} is UTF-16`)
  })

  it('need no file', () => {
    expect(environmentWithFile({ PORT: '5000' }, join(tmpdir(), 'atelier-no-such-file'))).toEqual({
      PORT: '5000',
    })
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-secrets-'))
  const fileWith = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const servers = {
    EVENTSTORE_URL: 'esdb://localhost:2113?tls=false',
    MONGODB_URL: 'mongodb://localhost/x',
    REDIS_URL: 'redis://localhost',
    SECRET: 'a secret of forty characters, or nearly so',
    MAIL_FROM: 'site@art.example',
  }

  it.each([
    ['SECRET', 'secret', 'another secret of forty characters, or so'],
    ['ADMIN_PASSWORD', 'adminPassword', ' a few words of mine'],
    ['SMTP_URL', 'smtpUrl', 'smtp://user:word@mail.example'],
    ['METRICS_TOKEN', 'metricsToken', 'a token of sixteen'],
    ['EVENTSTORE_URL', 'eventStoreUrl', 'esdb://log.example:2113'],
    ['MONGODB_URL', 'mongodbUrl', 'mongodb://user:word@db.example/x'],
    ['REDIS_URL', 'redisUrl', 'redis://:word@queue.example'],
  ])('%s_FILE goes before what the setting itself says', (name, key, value) => {
    const config = readConfig({ ...servers, [`${name}_FILE`]: fileWith(name, `${value}\n`) })
    expect(config).toMatchObject({ [key]: value })
  })

  it('reaches the exporter of telemetry', () => {
    const endpoint = 'http://localhost:4318'
    const headers = 'authorization=Bearer a-word'
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith('otlp', `${headers}\n`),
    }
    expect(readConfig(given).telemetry).toMatchObject({ OTEL_EXPORTER_OTLP_HEADERS: headers })
  })

  it('is read without the mark that some editors put before it, but for the secret, whose keys lie wrapped under it', () => {
    const marked = (text: string): string => fileWith(text, `\uFEFF${text}\r\n`)
    expect(readConfig({ ADMIN_PASSWORD_FILE: marked('a long password') }).adminPassword).toBe(
      'a long password',
    )
    expect(readConfig({ SECRET_FILE: marked(servers.SECRET) }).secret).toBe(`\uFEFF${servers.SECRET}`)
  })

  it('is read without the empty lines at its end, as the containers of the servers read it, but for the secret', () => {
    const spaced = (text: string): string => fileWith(text, `${text}\r\n\n`)
    const config = readConfig({ ...servers, METRICS_TOKEN_FILE: spaced('a token of sixteen') })
    expect(config.metricsToken).toBe('a token of sixteen')
    expect(readConfig({ SECRET_FILE: spaced(servers.SECRET) }).secret).toBe(`${servers.SECRET}\r\n`)
  })

  it('is no first password where nobody could type it', () => {
    const file = fileWith('twice', 'four words of mine\nfour words of mine\n')
    expect(mistakesOf({ ADMIN_PASSWORD_FILE: file })).toEqual([
      'ADMIN_PASSWORD must be one line that can be typed at the login',
    ])
  })

  it('completes an address that names a user and no password', () => {
    const passwords = {
      MONGODB_PASSWORD_FILE: fileWith('mongodb', 'a/word@mongo\r\n'),
      REDIS_PASSWORD_FILE: fileWith('redis', 'a:word'),
    }
    const own = {
      ...servers,
      MONGODB_URL: 'mongodb://atelier@a:27017,b:27017/atelier?authSource=admin',
      REDIS_URL: 'redis://default@redis:6379',
    }
    expect(readConfig({ ...own, ...passwords })).toMatchObject({
      mongodbUrl: 'mongodb://atelier:a%2Fword%40mongo@a:27017,b:27017/atelier?authSource=admin',
      redisUrl: 'redis://default:a%3Aword@redis:6379',
    })
    const elsewhere = {
      ...servers,
      MONGODB_URL: 'mongodb://user:own@elsewhere/x',
      REDIS_URL: 'redis://elsewhere:6379',
    }
    expect(readConfig({ ...elsewhere, ...passwords })).toMatchObject({
      mongodbUrl: elsewhere.MONGODB_URL,
      redisUrl: elsewhere.REDIS_URL,
    })
  })

  it('is missed in words, and never taken from the setting instead', () => {
    const mistakes = mistakesOf({
      ADMIN_PASSWORD: 'a few words of mine',
      ADMIN_PASSWORD_FILE: join(folder, 'none'),
      METRICS_TOKEN_FILE: fileWith('empty', '\n'),
      SECRET_FILE: fileWith('short', 'hunter2'),
    })
    expect(mistakes).toEqual([
      expect.stringMatching(/^ADMIN_PASSWORD_FILE cannot be read: ENOENT/),
      'METRICS_TOKEN_FILE names an empty file',
      'SECRET must have at least 32 characters',
    ])
  })
})

it('every setting has its words', () => {
  // Goes with the environment to the library that knows it.
  const read = new Set(['OTEL_EXPORTER_OTLP_ENDPOINT'])
  const watched = new Proxy(settings.parse({}), {
    get: (values, name) => {
      read.add(String(name))
      return Reflect.get(values, name) as unknown // as it was read
    },
  })
  configOf(watched, {})
  expect(Object.keys(settings.shape).filter((name) => !read.has(name))).toEqual([])
})

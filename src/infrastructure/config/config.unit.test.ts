import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, environmentWithFile, readConfig } from '#infrastructure/config/config.ts'

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

  it('take the public address without its last slash', () => {
    expect(readConfig({ PUBLIC_URL: 'https://art.example/' }).publicUrl).toBe('https://art.example')
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

  it('never repeat the value of a secret', () => {
    expect(mistakesOf({ SECRET: 'hunter2-hunter2', ADMIN_PASSWORD: 'short!!' }).join()).not.toMatch(
      /hunter2|short!!/,
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
  })

  it('need no file', () => {
    expect(environmentWithFile({ PORT: '5000' }, join(tmpdir(), 'atelier-no-such-file'))).toEqual({
      PORT: '5000',
    })
  })
})

import { describe, expect, it } from 'vitest'
import { accountMistake, addressMistakes } from './server-address.ts'

const mistakesOf = (address: string): string => addressMistakes(address, ['redis', 'mongodb']).join('\n')

describe('an address of a server', () => {
  it.each([
    'redis://localhost',
    'redis://:word@queue.example:6379/1',
    'REDIS://[::1]:6379',
    'redis://',
    'redis:///1',
    'redis://localhost:',
    'redis://redis.1:6379',
    'mongodb://u:p@%2Ftmp%2Fmongodb-27017.sock/site',
    'redis://user:p@ss:word@queue',
    'mongodb://user:p%40ss@a:27017,b:27017/site?authSource=admin&appName=a@b',
    'mongodb://a?appName=a@b',
  ])('may be %s', (address) => {
    expect(mistakesOf(address)).toBe('')
  })

  it.each([
    ['redis:/localhost', 'begins with redis:// or mongodb://'],
    ['https://localhost', 'begins with redis:// or mongodb://'],
    ['redis://user:hid/den@localhost', 'has a / in its name or password'],
    ['redis://user:hid?den@localhost', 'write %3F'],
    ['redis://user:hid#den@localhost', 'write %23'],
    // As many make passwords.
    ['mongodb://user:hid/den==@localhost/site', 'write %2F'],
    ['mongodb://user:12/hidden@localhost/site', 'write %2F'],
    ['redis://user:hid%den@localhost', 'write %25'],
    ['redis://user:hidden@localhost:99999', 'has a port that is no number up to 65535'],
    ['mongodb://user:hidden@a:27017,b:27o17', 'has a port that is no number up to 65535'],
    ['redis://user:hidden@', 'names no host'],
    ['redis://local[host', 'has a host that is none'],
    ['redis://local host', 'has a host that is none'],
  ])('is not %s, in words that hold no part of it', (address, words) => {
    expect(mistakesOf(address)).toContain(words)
    expect(mistakesOf(address)).not.toMatch(/hid|den|user|\n/)
  })

  it.each([
    ['mongodb://user:hid@den@localhost', '%40'],
    ['mongodb://user:hid:den@localhost', '%3A'],
  ])('has an account that not every library can read: %s', (address, encoded) => {
    expect(accountMistake(address)).toMatch(new RegExp(`percent-encoded there: write ${encoded}$`))
    expect(accountMistake('mongodb://user:hid%40den@localhost')).toBeNull()
    expect(accountMistake('mongodb://localhost')).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { isLoopbackHost } from './loopback-host.ts'

describe('this machine', () => {
  it.each(['localhost', 'LOCALHOST', 'studio.localhost', '127.0.0.1', '[::1]'])('is named %s', (name) =>
    expect(isLoopbackHost(name)).toBe(true),
  )

  it.each(['', 'art.example', 'localhost.example', '127.0.0.1.example', '10.0.0.1', '[2001:db8::1]'])(
    'is not named %s',
    (name) => expect(isLoopbackHost(name)).toBe(false),
  )
})

import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { listening } from './listening.ts'

const failing = (): Error => Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })

it('goes on listening when connections cannot be taken in', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await listening(server, () => server.listen(0, '127.0.0.1'))
  for (let n = 0; n < 3; n += 1) server.emit('error', failing())
  expect(server.listening).toBe(true)
})

it('tells why a server cannot listen', async () => {
  const server = createServer()
  await expect(listening(server, () => server.listen('/nowhere/at/all'))).rejects.toThrow(/nowhere/)
})

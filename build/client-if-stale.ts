import { resolve } from 'node:path'
import { builtHash, sourceHash } from './stamp.ts'

// Runs before every start and every test, so it loads nothing but hashing unless something has changed.
const root = resolve(import.meta.dirname, '..')
// What the start says may be led to a file on a full disk: the site is to be served all the same.
process.stdout.on('error', () => undefined)
if (builtHash(root) === sourceHash(root)) {
  console.log('Client is up to date.')
} else {
  // Some seconds without a word would look as if nothing happened.
  console.log('The client is built ...')
  const started = performance.now()
  const { buildClient } = await import('./client.ts')
  await buildClient(root)
  console.log(`Client built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Atelier needs Node 24.15 or newer; this is ${process.versions.node}. Start it with npm start\n`,
  )
  process.exit(1)
}
// Messages, keys and drafts lie in files: what this process makes is for its owner only.
process.umask(0o077)
// Before anything else is loaded, so that the second start finds everything compiled. `npm start` names the
// folder in the environment: then this file too is found compiled, and nothing that compiles is loaded at all. Node runs
// what it finds there unchecked, so it is a place where who may write may change the program itself.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/atelier'))
// Zod comes with its messages in sixty languages, each in a file of its own. The site speaks one.
const leaner = registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/locales/index.js') && context.parentURL?.includes('/node_modules/zod/')
      ? { url: 'data:text/javascript,export {}', format: 'module', shortCircuit: true }
      : next(specifier, context),
})
// A hook slows down whatever is loaded under it.
await import('zod')
leaner.deregister()
const { start } = await import('#composition/start.ts')
await start()

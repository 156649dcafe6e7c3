import { enableCompileCache } from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Atelier needs Node 24.15 or newer; this is ${process.versions.node}. Start it with npm start\n`,
  )
  process.exit(1)
}
// Before anything else is loaded, so that the second start finds everything compiled.
enableCompileCache()
const { start } = await import('./start.ts')
await start()

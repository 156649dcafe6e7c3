/** Loaded before a server's own modules (`--import`): writes into the file TELEMETRY_NOTES which of OpenTelemetry's it loads. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const notes = process.env['TELEMETRY_NOTES']
if (notes === undefined) throw new Error('TELEMETRY_NOTES names no file')
writeFileSync(notes, '')
registerHooks({
  load: (url, context, next) => {
    if (url.includes('/@opentelemetry/')) appendFileSync(notes, `${url}\n`)
    return next(url, context)
  },
})

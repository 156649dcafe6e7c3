import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
])
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((all) => Object.fromEntries(all.map((each) => [each.key, each.value])))
const resource = z.object({ attributes }).transform((it) => it.attributes)

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  links: z.array(z.looseObject({ traceId: z.string(), spanId: z.string() })).optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  status: z.looseObject({ code: z.number().default(0) }).default({ code: 0 }),
})
const record = z.object({
  severityNumber: z.number(),
  body: z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  attributes,
  traceId: z.string().optional(),
})
const point = z.looseObject({
  attributes,
  asInt: z.coerce.number().optional(),
  asDouble: z.number().optional(),
  count: z.coerce.number().optional(),
})
const points = z.looseObject({ dataPoints: z.array(point) })
const metric = z.object({
  name: z.string(),
  gauge: points.optional(),
  sum: points.optional(),
  histogram: points.optional(),
})

const traces = z.object({
  resourceSpans: z.array(
    z.looseObject({ resource, scopeSpans: z.array(z.looseObject({ spans: z.array(span) })) }),
  ),
})
const logs = z.object({
  resourceLogs: z.array(
    z.looseObject({ scopeLogs: z.array(z.looseObject({ logRecords: z.array(record) })) }),
  ),
})
const metrics = z.object({
  resourceMetrics: z.array(
    z.looseObject({ scopeMetrics: z.array(z.looseObject({ metrics: z.array(metric) })) }),
  ),
})

/** What came by OTLP over HTTP as JSON, as far as the tests look at it. */
export interface Received {
  readonly spans: z.output<typeof span>[]
  readonly records: z.output<typeof record>[]
  readonly metrics: z.output<typeof metric>[]
  readonly resources: z.output<typeof resource>[]
}

/** A receiver of telemetry on a free port of this machine. */
export const receiveTelemetry = async (): Promise<
  Received & { readonly url: string; readonly close: () => void }
> => {
  const received: Received = { spans: [], records: [], metrics: [], resources: [] }
  const take: Readonly<Record<string, (body: unknown) => void>> = {
    '/v1/traces': (body) => {
      for (const each of traces.parse(body).resourceSpans) {
        received.resources.push(each.resource)
        received.spans.push(...each.scopeSpans.flatMap(({ spans }) => spans))
      }
    },
    '/v1/logs': (body) => {
      for (const each of logs.parse(body).resourceLogs)
        received.records.push(...each.scopeLogs.flatMap(({ logRecords }) => logRecords))
    },
    '/v1/metrics': (body) => {
      // Each export tells all of it anew.
      for (const each of metrics.parse(body).resourceMetrics)
        received.metrics.splice(
          0,
          received.metrics.length,
          ...each.scopeMetrics.flatMap((scope) => scope.metrics),
        )
    },
  }
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        take[request.url ?? '']?.(body)
        response.setHeader('content-type', 'application/json').end('{}')
      },
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, it has an address of that form.
  const { port } = server.address() as AddressInfo
  return {
    ...received,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

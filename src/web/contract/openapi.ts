import { z } from 'zod'
import { accountSession, user } from './accounts.ts'
import { activityItem } from './activity.ts'
import { artwork } from './artworks.ts'
import { answersOf, type Call, idempotencyKey, ifMatch, isMutation } from './call.ts'
import { changeNotice } from './changes.ts'
import { acceptedBody, errorBody } from './errors.ts'
import { uploadedImage, uploadField } from './images.ts'
import { blogPost, blogSyncResult, blogSyncStatus } from './journal.ts'
import { contactMessage } from './messages.ts'
import { siteContent } from './site-content.ts'
import { job, status } from './status.ts'
import { category, medium } from './taxonomy.ts'

/** What has a name of its own in the document. */
const named: Readonly<Record<string, z.ZodType>> = {
  Accepted: acceptedBody,
  ActivityItem: activityItem,
  Artwork: artwork,
  BlogPost: blogPost,
  BlogSyncResult: blogSyncResult,
  BlogSyncStatus: blogSyncStatus,
  Category: category,
  ChangeNotice: changeNotice,
  ContactMessage: contactMessage,
  Error: errorBody,
  Job: job,
  Medium: medium,
  Session: accountSession,
  SiteContent: siteContent,
  Status: status,
  UploadedImage: uploadedImage,
  User: user,
}

const meanings: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Stored; the lists will show it in a moment',
  204: 'Done; there is nothing to say',
  303: 'Go on at the address in Location',
  304: 'The copy that the caller has is the current one',
  400: 'The body is not what its content type says',
  401: 'Not signed in',
  403: 'Sent from another site',
  404: 'There is no such thing',
  408: 'The body did not come in time',
  409: 'The name is taken, or it was changed meanwhile',
  413: 'Too large',
  415: 'The wrong kind of body or file',
  422: 'Some fields need correction',
  429: 'Too many; try again later',
  500: 'A mistake of ours',
  502: 'The other site failed',
  503: 'Not available at the moment',
  507: 'The disk is full',
}

const media = {
  json: 'application/json',
  html: 'text/html',
  csv: 'text/csv',
  'event-stream': 'text/event-stream',
} as const

type Json = Record<string, unknown>

/** A part of the document that this module does not look into. */
export type OpenApiDocument = {
  openapi: '3.0.3'
  info: { title: string; version: string; description: string }
  servers?: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> }
}

const refTo = (name: string): string => `#/components/schemas/${name}`

/** Leaves out what only repeats the type: the limits of a safe integer, the pattern behind a format. */
const plainer = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
}

/** Turns schemas into those of the document; named ones become references. Holds the one registry of a run. */
const translator = () => {
  const nameless = z.registry<{ id: string }>()
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(named)) registry.add(schema, { id: name })

  const options = { target: 'openapi-3.0', override: plainer } as const

  const components: Record<string, Json> = {}
  const all = z.toJSONSchema(registry, { ...options, io: 'output', uri: refTo }).schemas
  for (const [name, { $id: _address, id: _name, ...schema }] of Object.entries(all)) components[name] = schema

  /** What is sent. It names nothing: an entity as it is sent is not the entity as it is answered. */
  const input = (schema: z.ZodType): Json => ({
    ...z.toJSONSchema(schema, { ...options, io: 'input', metadata: nameless }),
  })

  /** What is answered. A schema alone gets its named parts in `definitions`; in the document they are components. */
  const output = (schema: z.ZodType): Json => {
    const { definitions: _named, ...rest } = z.toJSONSchema(schema, {
      ...options,
      io: 'output',
      metadata: registry,
    })
    const text = JSON.stringify(rest).replaceAll('"#/definitions/', `"${refTo('')}`)
    // The text above is that of an object.
    return JSON.parse(text) as Json
  }

  return { components, input, output }
}
type Translator = ReturnType<typeof translator>

const parametersIn = (
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  { input }: Translator,
): Json[] => {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = input(schema) as {
    // An object schema, as every params and query schema is, becomes these two keys.
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: of,
  }))
}

const headersOf = (call: Call, { input }: Translator): Json[] => {
  if (!isMutation(call)) return []
  const repeat = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Sent twice, the call acts once',
    schema: input(idempotencyKey),
  }
  const version = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version that the caller has seen; another one is refused with 409',
    schema: input(ifMatch),
  }
  return call.params === undefined && call.method !== 'PUT' ? [repeat] : [repeat, version]
}

const requestBody = (call: Call, { input }: Translator): Json | undefined => {
  if (call.consumes === 'multipart') {
    const schema = {
      type: 'object',
      properties: { [uploadField]: { type: 'string', format: 'binary' } },
      required: [uploadField],
      additionalProperties: false,
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (call.body === undefined) return undefined
  const type = call.consumes === 'form' ? 'application/x-www-form-urlencoded' : media.json
  return { required: true, content: { [type]: { schema: input(call.body) } } }
}

const contentOf = (call: Call, code: number, schema: z.ZodType | null, { output }: Translator): Json => {
  if (schema !== null) return { content: { [media.json]: { schema: output(schema) } } }
  const produces = call.produces ?? 'json'
  const hasText = produces !== 'json' && (code === 200 || code >= 400)
  return hasText ? { content: { [media[produces]]: { schema: { type: 'string' } } } } : {}
}

const responsesOf = (call: Call, translate: Translator): Json =>
  Object.fromEntries(
    Object.entries(answersOf(call)).map(([code, schema]) => [
      code,
      { description: meanings[Number(code)] ?? '', ...contentOf(call, Number(code), schema, translate) },
    ]),
  )

const operationOf = (call: Call, translate: Translator): Json => {
  const sent = requestBody(call, translate)
  return {
    operationId: call.name,
    tags: [call.module],
    summary: call.summary,
    security: call.access === 'owner' ? [{ session: [] }] : [],
    parameters: [
      ...parametersIn('path', call.params, translate),
      ...parametersIn('query', call.query, translate),
      ...headersOf(call, translate),
    ],
    ...(sent === undefined ? {} : { requestBody: sent }),
    responses: responsesOf(call, translate),
  }
}

/**
 * The OpenAPI 3.0 document of a table of calls.
 * @param table The calls, by name.
 * @param options `version` of the program; `cookie` that holds the session; `url` of the site, if known.
 */
export const openApiDocument = (
  table: Readonly<Record<string, Call>>,
  options: { version: string; cookie: string; url?: string },
): OpenApiDocument => {
  const translate = translator()
  const paths: OpenApiDocument['paths'] = {}
  for (const call of Object.values(table)) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call, translate) }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Atelier',
      version: options.version,
      description: "The website of one artist: what visitors see, and the owner's dashboard behind it.",
    },
    ...(options.url === undefined ? {} : { servers: [{ url: options.url }] }),
    tags: [...new Set(Object.values(table).map((call) => call.module))].map((name) => ({ name })),
    paths,
    components: {
      schemas: translate.components,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: options.cookie } },
    },
  }
}

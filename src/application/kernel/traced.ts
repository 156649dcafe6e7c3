/** What describes a step, beside its name: ids, names of routes and commands, numbers. Never what is personal. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** What a step belongs to. */
export type TraceOrigin =
  /** the step that is at work */
  | { readonly kind: 'here' }
  /** what began elsewhere, maybe in another process: all that carries this correlation; `sinceMs` ago it began */
  | { readonly kind: 'caused'; readonly correlationId: string; readonly sinceMs?: number }
  /** nothing yet: a request from outside, which may name a trace of its sender's in its headers */
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
    }

export interface Step {
  /** of a request: what all that it causes carries; null elsewhere, and where nobody traces */
  readonly correlationId: string | null
  /** Runs work in it: what is traced there belongs to this step. */
  readonly within: <Result>(work: () => Result) => Result
  readonly end: (how?: {
    readonly name?: string
    readonly attributes?: TraceAttributes
    readonly failure?: unknown
  }) => void
}

/** Begins steps for whoever watches. */
export interface Tracer {
  readonly begin: (name: string, attributes: TraceAttributes, origin: TraceOrigin) => Step
}

const noStep: Step = { correlationId: null, within: (work) => work(), end: () => undefined }
const here: TraceOrigin = { kind: 'here' }

/** One for the process, as what runs in it at once can only be told apart together. */
let tracer: Tracer | null = null

/** Lets all steps of this process be traced from now on; null: no longer. */
export const traceBy = (chosen: Tracer | null): void => {
  tracer = chosen
}

/** Whether anybody watches, for who would have to make something for it. */
export const isTraced = (): boolean => tracer !== null

/** Begins a step whose end is not the end of one function. Where nobody traces it is nothing. */
export const beginStep = (name: string, attributes: TraceAttributes, origin: TraceOrigin = here): Step =>
  tracer === null ? noStep : tracer.begin(name, attributes, origin)

/** Runs work as one step of what is traced. Where nobody traces it only runs it. */
export const traced = <Result>(
  name: string,
  attributes: TraceAttributes,
  run: () => Promise<Result>,
  origin: TraceOrigin = here,
): Promise<Result> => {
  if (tracer === null) return run()
  const step = tracer.begin(name, attributes, origin)
  return step.within(run).then(
    (result) => {
      step.end()
      return result
    },
    (failure: unknown) => {
      step.end({ failure })
      throw failure
    },
  )
}

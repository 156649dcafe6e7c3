import type {
  CardContent,
  FirstLook,
  ImageBytes,
  ImageRefusalKind,
  VariantFile,
} from '#application/ports/images.ts'
import type { OriginalFormat } from '#domain/images/events.ts'

/** What the helper process can be asked for, and what each asking answers. The hash is made by the asker. */
export interface Tasks {
  first: {
    readonly ask: { readonly path: string; readonly accept: readonly OriginalFormat[] }
    readonly answer: Omit<FirstLook, 'hash'>
  }
  variants: {
    readonly ask: { readonly path: string; readonly into: string }
    readonly answer: readonly VariantFile[]
  }
  check: { readonly ask: { readonly path: string }; readonly answer: void }
  card: { readonly ask: CardContent; readonly answer: ImageBytes }
  qr: { readonly ask: { readonly text: string }; readonly answer: ImageBytes }
}
export type TaskKind = keyof Tasks
export type Task = {
  readonly [Kind in TaskKind]: { readonly kind: Kind; readonly ask: Tasks[Kind]['ask'] }
}[TaskKind]
export type Answer = Tasks[TaskKind]['answer']

/** Who waits for a task, the most urgent first: a visitor's page, the owner in turn with it, nobody (a stranger's image). */
export const askers = ['visitor', 'owner', 'nobody'] as const
export type Asker = (typeof askers)[number]

export type ToHelper =
  | { readonly type: 'do'; readonly id: number; readonly task: Task; readonly asker: Asker }
  /** give up between two steps */
  | { readonly type: 'stop'; readonly id: number }

export type FromHelper =
  | { readonly type: 'begun'; readonly id: number }
  | { readonly type: 'step'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly type: 'done'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'stopped'; readonly id: number }
  | {
      readonly type: 'refused'
      readonly id: number
      readonly kind: ImageRefusalKind
      readonly message: string
    }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly diskFull: boolean }

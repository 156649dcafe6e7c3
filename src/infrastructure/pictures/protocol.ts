import type {
  CardContent,
  FirstLook,
  PictureBytes,
  PictureFacts,
  PictureRefusalKind,
  VariantFile,
} from '#application/ports/pictures.ts'
import type { OriginalFormat, PictureFormat } from '#domain/images/events.ts'

/** What the helper process can be asked for, and what each asking answers. The hash is made by the asker. */
export interface Tasks {
  inspect: { readonly ask: { readonly path: string }; readonly answer: Omit<PictureFacts, 'hash'> }
  first: {
    readonly ask: { readonly path: string; readonly accept: readonly OriginalFormat[] }
    readonly answer: Omit<FirstLook, 'hash'>
  }
  variants: {
    readonly ask: {
      readonly path: string
      readonly into: string
      readonly widths: readonly number[] | null
      readonly formats: readonly PictureFormat[]
    }
    readonly answer: readonly VariantFile[]
  }
  card: { readonly ask: CardContent; readonly answer: PictureBytes }
  qr: { readonly ask: { readonly text: string }; readonly answer: PictureBytes }
}
export type TaskKind = keyof Tasks
export type Task = {
  readonly [Kind in TaskKind]: { readonly kind: Kind; readonly ask: Tasks[Kind]['ask'] }
}[TaskKind]
export type Answer = Tasks[TaskKind]['answer']

export type ToHelper =
  | { readonly type: 'do'; readonly id: number; readonly task: Task }
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
      readonly kind: PictureRefusalKind
      readonly message: string
    }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly diskFull: boolean }

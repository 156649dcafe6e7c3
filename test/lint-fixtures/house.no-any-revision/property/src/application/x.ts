type Append = (stream: string, options: { expectedRevision: string }) => void

export const save = (append: Append): void => append('artwork-1', { expectedRevision: 'any' })

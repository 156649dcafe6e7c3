interface Stream { on(event: string, handler: (chunk: unknown) => unknown): void }

export const read = (stream: Stream, handle: (chunk: unknown) => Promise<void>): void => {
  stream.on('data', async (chunk) => {
    await handle(chunk)
  })
}

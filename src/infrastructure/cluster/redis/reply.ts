/**
 * Whether the server answered, and refused. The library's own class has no type. Apart from the
 * connection, so that a command without Redis does not load its library.
 */
export const isReply = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError'

/**
 * What this process uses of `node:http`. An import of that module asks for every one of its names, among them those of
 * Node's own `fetch` and WebSocket: all of undici and HTTP/2 would be loaded, which takes longer than Node's own start.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')

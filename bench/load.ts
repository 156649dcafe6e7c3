import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Sends one GET over and over on kept connections and counts the answers. It works on the sockets themselves,
 * because on one machine a full HTTP client costs more than the server that is measured.
 * @returns answers per second, and the size of one
 * @throws when an answer is not a 200 or carries no Content-Length
 */
export const getsPerSecond = async (
  url: string,
  path: string,
  headers: Record<string, string>,
  options: { readonly connections: number; readonly seconds: number },
): Promise<number> => {
  const { hostname, port, host } = new URL(url)
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map((each) => each.join(': ')),
  ]
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  let answered = 0
  let stopped = false

  const lane = async (): Promise<void> => {
    const socket: Socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.setNoDelay(true)
    await new Promise<void>((resolve, reject) => {
      // Bytes still to come of the answer that is under way; 0 while its head is awaited.
      let missing = 0
      let head = ''
      socket.on('error', reject)
      socket.on('close', () => (stopped ? resolve() : reject(new Error('The server closed the connection'))))
      socket.on('data', (chunk: Buffer) => {
        if (missing === 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
          if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
            socket.destroy()
            reject(new Error(`Not a 200 with a length: ${head.slice(0, 300)}`))
            return
          }
          missing = Number(length) - (head.length - end - 4)
          head = ''
        } else missing -= chunk.length
        if (missing > 0) return
        answered += 1
        if (stopped) socket.destroy()
        else socket.write(request)
      })
      socket.write(request)
    })
  }

  const lanes = Promise.all(Array.from({ length: options.connections }, lane))
  const started = performance.now()
  const timer = setTimeout(() => {
    stopped = true
  }, options.seconds * 1000)
  await lanes.finally(() => clearTimeout(timer))
  return (answered / (performance.now() - started)) * 1000
}

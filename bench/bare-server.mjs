// The floors' server: plain node:http in a process of its own, plain JavaScript so that its start costs nothing more.
//   node bench/bare-server.mjs echo                  answers each request with the body it got
//   node bench/bare-server.mjs reply FILE HEADERS    answers FILE's bytes with these headers (JSON)
//   node bench/bare-server.mjs commit DATABASE       inserts each body durably, all that wait in one transaction
// It prints its port once it listens.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [mode, file, headers] = process.argv.slice(2)

const bodyOf = (request, use) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => use(Buffer.concat(chunks)))
}

const handlers = {
  echo: () => (request, response) => bodyOf(request, (body) => response.end(body)),
  reply: () => {
    const bytes = readFileSync(file)
    const head = JSON.parse(headers)
    return (_request, response) => response.writeHead(200, head).end(bytes)
  },
  commit: async () => {
    const { groupCommit } = await import('./group-commit.mjs')
    const commit = groupCommit(file)
    return (request, response) => bodyOf(request, (body) => commit(body.toString(), () => response.end(body)))
  },
}

const server = createServer(await handlers[mode]())
server.listen(0, '127.0.0.1', () => console.log(server.address().port))

/**
 * The compose file for real: build, start, the story of a visitor and the owner over HTTP, each service killed and
 * paused in turn, three web processes, the end. Run with `node test/containers/story.ts` where Docker answers; it
 * leaves nothing behind. Prints each step; exits 1 with the services' own words when one fails.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { refuseLiveSettings } from '../support/live-settings.ts'
import { prepareCompose } from './compose.ts'
import { moves } from './moves.ts'
import { updates } from './updates.ts'
import { eventually, expectThat, recoverWithinMs, visitSite } from './visit.ts'

/** How long a server is away, in ms: longer than every deadline of a call to it. */
const longAwayMs = 6_000
const ports = { redis: 6379, eventstore: 2113, mongodb: 27017 }
const servers: readonly string[] = Object.keys(ports)
/** The projector's lease runs out meanwhile too. For the others nobody waits by a deadline. */
const awayMsOf = (service: string): number =>
  [...servers, 'projector'].includes(service) ? longAwayMs : 1_000

refuseLiveSettings(join(import.meta.dirname, '../..'))
const prepared = await prepareCompose()
const { url, adminPassword, compose, up, secretsInFiles, removeSecrets, containers, docker } = prepared
const visit = visitSite(url, adminPassword)
const began = performance.now()

const step = async (what: string, work: () => Promise<void>): Promise<void> => {
  const from = performance.now()
  await work().catch((cause: unknown) => {
    throw new Error(`This step failed: ${what}`, { cause })
  })
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  console.log(`  ok  ${what} (${seconds} s)`)
}

/** The work whose price every step changes, and the last price that was acknowledged. */
let artwork = { id: '', slug: '' }
let price = 1000

const writeAndSee = async (): Promise<void> => {
  price += 1
  const wanted = price
  const answered = await visit.setPrice(artwork.id, wanted)
  const see = async (): Promise<void> => {
    const seen = (await visit.artworks()).find(({ id }) => id === artwork.id)?.price
    expectThat(seen === wanted, `The list shows ${seen} after ${wanted} was acknowledged`)
  }
  if (answered === null) return shown(see)
  expectThat(answered === wanted, `${wanted} was acknowledged and ${answered} is in the answer`)
  await see()
}

/** What was acknowledged is shown at once, or in a moment where the answer was that it is written. */
const shown = <T>(look: () => Promise<T>): Promise<T> => eventually(recoverWithinMs, look)

const owner = async (): Promise<void> => {
  await visit.signIn()
  const imageUrl = await visit.upload('monsoon.jpg')
  const id = await visit.addArtwork('A work in containers', imageUrl)
  artwork = await shown(async () => {
    const added = (await visit.artworks()).find((each) => each.id === id)
    if (added === undefined) throw new Error('The list does not show the work that was just added')
    return added
  })
  await shown(async () =>
    expectThat(
      (await visit.pageWhole('/')).includes('A work in containers'),
      'The homepage does not show the work that was just added',
    ),
  )
  await visit.pageWhole(imageUrl)
  const page = await visit.pageWhole(`/artwork/${artwork.slug}-${artwork.id}`)
  expectThat(page.includes('1,000'), "The work's page lacks its price")
}

const visitor = async (): Promise<void> => {
  await visit.write({ name: 'Asha', message: 'Is it still for sale?' })
  const fromAsha = async () => (await visit.messages()).filter(({ name }) => name === 'Asha')
  const arrived = await shown(async () => {
    const [message] = await fromAsha()
    if (message?.message !== 'Is it still for sale?') throw new Error('The letter has not arrived')
    return message
  })
  await visit.erase(arrived.id)
  await shown(async () => expectThat((await fromAsha()).length === 0, 'The letter is still there'))
}

/** While a service is away nothing may hang or break worse than a 503 in words. */
const whileAway = async (service: string): Promise<void> => {
  if (service === 'proxy' || service === 'web') return
  if (service !== 'mongodb') {
    await visit.pageWhole('/')
    return
  }
  const { status, text } = await visit.page('/')
  expectThat(
    [200, 503].includes(status),
    `Without MongoDB the homepage answers ${status}: ${text.slice(0, 200)}`,
  )
}

/** Whether a connection out of a container comes about. */
const connects = (service: string, host: string, port: number, withinSeconds: number): Promise<boolean> =>
  compose(
    'exec',
    '--no-TTY',
    service,
    'timeout',
    String(withinSeconds),
    'bash',
    '-c',
    `exec 3<>/dev/tcp/${host}/${port}`,
  ).then(
    () => true,
    () => false,
  )
/** A busy machine may be slow to connect. What is cut off gives no answer for ever, and only that is waited for. */
const [longEnough, briefly] = [60, 3]

/** The proxy stands for all that is outside of the servers' network. */
const networks = async (): Promise<void> => {
  const [proxy = ''] = await containers('proxy')
  const address = await docker(
    'inspect',
    '--format',
    '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
    proxy,
  )
  for (const role of ['web', 'projector', 'worker']) {
    expectThat(await connects(role, address, 80, longEnough), `${role} has no way out`)
    for (const [server, port] of Object.entries(ports))
      expectThat(await connects(role, server, port, longEnough), `${role} does not reach ${server}`)
  }
  for (const [server, port] of Object.entries(ports)) {
    expectThat(!(await connects(server, address, 80, briefly)), `${server} has a way out`)
    expectThat(!(await connects('proxy', server, port, briefly)), `The proxy reaches ${server}`)
  }
}

/** What nobody needs is not there: no capabilities, no file that can be written but those named. */
const rights = async (): Promise<void> => {
  for (const role of ['web', 'projector', 'worker', 'redis', 'eventstore']) {
    const status = await compose('exec', '--no-TTY', role, 'cat', '/proc/1/status')
    expectThat(/^CapEff:\s+0+$/m.test(status), `${role} has capabilities`)
    expectThat(/^NoNewPrivs:\s+1$/m.test(status), `${role} could get new privileges`)
  }
  for (const service of ['web', 'worker', 'redis', 'eventstore', 'mongodb', 'proxy']) {
    const wrote = await compose('exec', '--no-TTY', service, 'sh', '-c', 'echo x > /etc/written').then(
      () => 'written',
      (error: unknown) => String(error),
    )
    expectThat(/read-only/i.test(wrote), `${service} lets its root be written: ${wrote}`)
  }
  const arguments_ = await compose('exec', '--no-TTY', 'redis', 'cat', '/proc/1/cmdline')
  expectThat(!/requirepass/.test(arguments_), 'The password of Redis is among its arguments')
}

const proxyLimits = async (): Promise<void> => {
  const tooLarge = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(40 * 1024 * 1024),
  }).then(
    (answer) => answer.status,
    () => 'cut',
  )
  expectThat(tooLarge === 413 || tooLarge === 'cut', `A body of 40 MB was answered ${tooLarge}`)
}

const recovers = (): Promise<void> => shown(writeAndSee)

const story = async (): Promise<void> => {
  await step('images built', async () => {
    await compose('build', '--quiet')
  })
  await step('all services healthy', async () => {
    await up()
  })
  await step('the owner adds a work, visitors see it', owner)
  await step('a visitor writes, the owner reads and erases', visitor)
  await step('the picture comes in every size', () =>
    shown(async () => {
      const page = await visit.pageWhole(`/artwork/${artwork.slug}-${artwork.id}`)
      expectThat(page.includes('.avif'), 'The page offers no AVIF')
    }),
  )
  await step('the operator looks around', async () => {
    // A server that a busy machine keeps from answering for some seconds is one that does not answer.
    await eventually(recoverWithinMs, () => compose('exec', '--no-TTY', 'worker', 'atelier', 'doctor'))
    await compose('exec', '--no-TTY', 'worker', 'atelier', 'projections', 'status')
  })
  await step('the servers are on a network of their own, every role has a way out', networks)
  await step('no rights that nobody needs', rights)
  await step('the proxy takes no body without an end', proxyLimits)
  for (const service of ['projector', 'worker', ...servers, 'web', 'proxy']) {
    await step(`${service} killed`, async () => {
      const ids = await containers(service)
      await docker('kill', ...ids)
      await whileAway(service)
      await docker('start', ...ids)
      await recovers()
    })
    await step(`${service} paused`, async () => {
      const ids = await containers(service)
      // Docker gives up freezing a container that is busy on a busy machine ("unable to freeze"), and can do it a moment later.
      await eventually(recoverWithinMs, () => docker('pause', ...ids))
      try {
        await pause(awayMsOf(service))
        await whileAway(service)
      } finally {
        await docker('unpause', ...ids)
      }
      await recovers()
    })
  }
  await step(
    'another version and back under load, nobody is refused; one that does not start changes nothing',
    () => updates(prepared, visit, writeAndSee),
  )
  await step('three web processes, each shows what another acknowledged', async () => {
    await up('--scale', 'web=3')
    expectThat((await containers('web')).length === 3, 'There are not three web containers')
    // The proxy looks each second who is open.
    await recovers()
    for (let round = 0; round < 30; round += 1) await writeAndSee()
  })
  await step('one of three killed, visitors notice nothing', async () => {
    const [one = ''] = await containers('web')
    await docker('kill', one)
    for (let round = 0; round < 20; round += 1) await visit.pageWhole('/')
    await writeAndSee()
  })
  await step('every server stopped and started again, nothing lost', async () => {
    await compose('stop')
    await up()
    const seen = (await visit.artworks()).find(({ id }) => id === artwork.id)?.price
    expectThat(seen === price, `The list shows ${seen}; ${price} was acknowledged last`)
    await visit.signIn()
    await writeAndSee()
  })
  await step('the same secrets in files', async () => {
    await secretsInFiles()
    await up()
    const { SECRET } = JSON.parse(
      await compose('exec', '--no-TTY', 'worker', 'node', '-p', 'JSON.stringify(process.env)'),
    ) as { readonly SECRET: string }
    expectThat(SECRET === '', 'The secret is still in the environment')
    await visit.signIn()
    await writeAndSee()
  })
  await step(
    'the oldest kept site and a new one move from their folders onto the servers, and one back',
    () => moves(prepared),
  )
}

console.log('The compose file for real:')
try {
  await story()
  console.log(`All of it in ${Math.round((performance.now() - began) / 1000)} s.`)
} catch (error) {
  console.error(await compose('logs', '--no-color', '--tail', '12').catch(String))
  console.error(await compose('ps', '--all').catch(String))
  // Last, as of a long output often only the end is kept.
  console.error(error)
  process.exitCode = 1
} finally {
  await compose('down', '--volumes', '--remove-orphans', '--timeout', '20').catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
  await removeSecrets()
}

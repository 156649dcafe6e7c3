/**
 * A thread of its own that asks a site for `/healthz`, one request after the other, until it is told to stop: what an
 * attack costs the thread that attacks is not counted as waiting. Each comes on a new connection, as a new visitor does.
 */
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Waiting } from './under-attack.ts'

/** Between two questions, in ms. */
const pauseMs = 5

// Given by under-attack.ts, which starts this thread.
const { url, pid } = workerData as { readonly url: string; readonly pid: number }

/** A tick of the processor's time in ms: `USER_HZ` is 100 wherever Linux runs. */
const tickMs = 10

/**
 * How long the site's own thread has worked. A machine that is busy with other things takes nothing of it; on one that
 * does not tell, what the clock has.
 */
const workedMs = (): number => {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')
    // proc_pid_stat(5): utime and stime, the 14th and the 15th, of which the first two are before the bracket.
    const [user = '', system = ''] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * tickMs
  } catch {
    return performance.now()
  }
}

/** @throws when the site does not answer that it is alive */
const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = workedMs()
    get(`${url}/healthz`, { agent: false }, (response) => {
      response.resume()
      response.once('end', () => {
        const ms = workedMs() - began
        if (response.statusCode === 200) resolve(ms)
        else reject(new Error(`/healthz was answered ${response.statusCode}`))
      })
    }).once('error', reject)
  })

let stopped = false
parentPort?.once('message', () => {
  stopped = true
})

const waiting: Waiting = await (async () => {
  let [asked, longestMs] = [0, 0]
  while (!stopped) {
    longestMs = Math.max(longestMs, await ask())
    asked += 1
    if (asked === 1) parentPort?.postMessage('asking')
    await pause(pauseMs)
  }
  return { asked, longestMs }
})()
parentPort?.postMessage(waiting)

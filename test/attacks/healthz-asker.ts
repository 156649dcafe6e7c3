/**
 * A thread of its own that asks a site for `/healthz`, one request after the other, until it is told to stop: what an
 * attack costs the thread that attacks is not counted as waiting. Each comes on a new connection, as a new visitor does.
 */
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Waiting } from './under-attack.ts'
import { workedMs } from './worked-ms.ts'

/** Between two questions, in ms. */
const pauseMs = 5

// Given by under-attack.ts, which starts this thread.
const { url, pid } = workerData as { readonly url: string; readonly pid: number | undefined }

/** @throws when the site does not answer that it is alive */
const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = workedMs(pid)
    get(`${url}/healthz`, { agent: false }, (response) => {
      response.resume()
      response.once('end', () => {
        const ms = workedMs(pid) - began
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

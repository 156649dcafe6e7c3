import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/*
 * Loaded before a program: what it does after a while, or every so often, it does a hundred times sooner, and after five seconds
 * at most, so that a test meets what it does every ten minutes or once a day.
 */
const shortestMs = 2_000
const longestMs = 5_000
const sooner = (ms) => (ms >= shortestMs ? Math.min(ms / 100, longestMs) : ms)

const { setTimeout: timeout, setInterval: interval } = globalThis
const { setTimeout: pause } = timers
globalThis.setTimeout = Object.assign((call, ms, ...given) => timeout(call, sooner(ms), ...given), timeout)
globalThis.setInterval = (call, ms, ...given) => interval(call, sooner(ms), ...given)
timers.setTimeout = (ms, ...given) => pause(sooner(ms), ...given)
syncBuiltinESMExports()

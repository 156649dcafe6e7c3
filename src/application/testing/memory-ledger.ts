import type { EffectLedger } from '../kernel/ports/job-queue.ts'

/** A ledger of effects that lives as long as its test. */
export const memoryLedger = (): EffectLedger => {
  const kept = new Map<string, { readonly state: 'started' | 'done'; readonly detail: string }>()
  return {
    find: async (key) => kept.get(key) ?? null,
    started: async (key, detail) => {
      if (kept.get(key)?.state !== 'done') kept.set(key, { state: 'started', detail })
    },
    done: async (key, detail) => {
      if (kept.get(key)?.state !== 'done') kept.set(key, { state: 'done', detail })
    },
    replace: async (key, state, detail) => void kept.set(key, { state, detail }),
  }
}

import { expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import type { ViewChange, Views } from '#projections/runtime/views.ts'
import { followImages } from './first-images.ts'

it('the making of pictures is followed until each is made or given up; one that has gone is not waited for', async () => {
  const docs = new Map(['a', 'b', 'c'].map((id) => [id, { id, ready: false }]))
  let parked: Pick<JobView, 'subjectId'>[] = []
  const listeners = new Set<() => void>()
  const onChange = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const change = () => listeners.forEach((each) => each())
  // Where in the log it stands is not looked at.
  const viewChange = { models: ['artworks'], position: '0' } as unknown as ViewChange
  const told: number[] = []
  // Only what is asked of them is there.
  const ports = {
    documents: { getMany: async () => [...docs.values()] } as unknown as Documents,
    jobs: { list: async () => parked as JobView[], onChange },
    views: { onChange: (listener: Parameters<Views['onChange']>[0]) => onChange(() => listener(viewChange)) },
  }
  const followed = followImages(ports, ['a', 'b', 'c'], (made) => told.push(made))
  await expect.poll(() => told).toEqual([0])
  docs.set('a', { id: 'a', ready: true })
  change()
  await expect.poll(() => told.at(-1)).toBe(1)
  docs.delete('c')
  parked = [{ subjectId: 'b' }]
  change()
  await followed
  expect([told.at(-1), listeners.size]).toEqual([2, 0])
})

it('pictures that cannot be looked at are told as the failure that they are, and followed no more', async () => {
  const listeners = new Set<() => void>()
  const onChange = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  // Only what is asked of them is there.
  const ports = {
    documents: { getMany: () => Promise.reject(new Error('no answer')) } as unknown as Documents,
    jobs: { list: async () => [], onChange },
    views: { onChange: () => onChange(() => undefined) },
  }
  await expect(followImages(ports, ['a'], () => undefined)).rejects.toThrow('no answer')
  expect(listeners.size).toBe(0)
})

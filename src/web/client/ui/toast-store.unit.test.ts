import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, onToasts, showToast, toasts } from './toast-store.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('one message at once: a newer one takes the place of the older', () => {
  showToast({ title: 'Success', description: 'One' })
  showToast({ title: 'Success', description: 'Two' })
  expect(toasts()).toMatchObject([{ description: 'Two', open: true, replaces: true }])
  dismissToast(toasts()[0]!.id)
  showToast({ title: 'Success', description: 'Three' })
  expect(toasts()).toMatchObject([{ description: 'Three', open: true, replaces: false }])
})

test('a dismissed message closes at once and leaves memory after 1,000,000 ms', () => {
  showToast({ title: 'Success', description: 'Gone' })
  const id = toasts()[0]!.id
  dismissToast(id)
  expect(toasts()[0]).toMatchObject({ id, open: false })
  vi.advanceTimersByTime(999_999)
  expect(toasts()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(toasts()).toEqual([])
})

test('whoever listens hears of every change until they stop', () => {
  const heard = vi.fn<() => void>()
  const stop = onToasts(heard)
  showToast({ title: 'A', description: '' })
  stop()
  showToast({ title: 'B', description: '' })
  expect(heard).toHaveBeenCalledTimes(1)
})

import { afterEach, expect, it } from 'vitest'
import { rememberedTab, rememberTab } from './remembered-tab.ts'

const sessionStorageIs = (get: () => Pick<Storage, 'getItem' | 'setItem'>) =>
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get })

afterEach(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))

it('leads back to the tab that was open last', () => {
  const kept = new Map<string, string>()
  sessionStorageIs(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  }))
  rememberTab('messages')
  expect(rememberedTab()).toBe('messages')
})

it('begins with the content where the browser refuses to keep anything', () => {
  sessionStorageIs(() => {
    throw new DOMException('refused', 'SecurityError')
  })
  rememberTab('messages')
  expect(rememberedTab()).toBe('content')
})

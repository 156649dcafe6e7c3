import { afterEach, expect, it, vi } from 'vitest'
import { createBrowserHistory } from '@tanstack/react-router'
import { passOverRefusedAddresses } from './refused-addresses.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A window whose history takes so many addresses, and then refuses as Safari does until more are allowed. */
const openWindow = () => {
  const location = { pathname: '/', search: '', hash: '' }
  const window = { location, left: 0, history: { state: {} as unknown }, addEventListener: () => undefined }
  const change = (state: unknown, _unused: string, address?: string | URL | null): void => {
    if (window.left === 0) throw new DOMException('Attempt to use it more than 100 times', 'SecurityError')
    window.left -= 1
    window.history.state = state
    location.pathname = String(address ?? location.pathname)
  }
  return Object.assign(window, {
    history: Object.assign(window.history, { pushState: change, replaceState: change }),
  })
}

/** @param allowed how many addresses its window takes, besides the one of its beginning */
const start = (allowed: number) => {
  const window = openWindow()
  const loaded: string[] = []
  vi.stubGlobal('history', window.history)
  vi.stubGlobal('location', { assign: (address: string) => loaded.push(address) })
  passOverRefusedAddresses()
  window.left = allowed + 1
  return { window, loaded, history: createBrowserHistory({ window }) }
}

/** Changes the address once the router has written the one before. */
const expectAddress = async (change: () => void, { window }: ReturnType<typeof start>, path: string) => {
  change()
  await Promise.resolve()
  expect(window.location.pathname).toBe(path)
}

it('goes on after a replacement that was refused', async () => {
  const page = start(1)
  await expectAddress(() => page.history.replace('/first'), page, '/first')
  await expectAddress(() => page.history.replace('/refused'), page, '/first')
  page.window.left = 1
  await expectAddress(() => page.history.push('/next'), page, '/next')
  expect(page.loaded).toEqual([])
})

it('loads what a refused new entry leads to', async () => {
  const page = start(0)
  await expectAddress(() => page.history.push('/artwork/monsoon'), page, '/')
  expect(page.loaded).toEqual(['/artwork/monsoon'])
})

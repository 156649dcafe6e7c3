/// <reference lib="dom" />
import { type BrowserContext, expect, type Page } from '@playwright/test'

const seen = new WeakMap<BrowserContext, string[]>()

/**
 * Notes every message of the pages of a context as it appears: some stand only for the 500 ms before the way to
 * the login, which a busy machine may not catch by looking.
 */
export async function watchToasts(context: BrowserContext): Promise<void> {
  const texts: string[] = []
  seen.set(context, texts)
  await context.exposeBinding('sawToast', (_, text: string) => texts.push(text))
  await context.addInitScript(() => {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          const toasts = node.matches('[data-toasts] li') ? [node] : node.querySelectorAll('[data-toasts] li')
          // The binding above.
          for (const toast of toasts)
            (window as never as { sawToast(text: string): void }).sawToast(
              toast.querySelector('[role]')?.textContent ?? '',
            )
        }
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Waits for the toast with these words, title then description, newer than the last one waited for. */
export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const texts = seen.get(page.context()) ?? []
  const wanted = `${title}${description}`
  await expect.poll(() => texts, { message: `the toast "${wanted}"` }).toContain(wanted)
  texts.splice(0, texts.indexOf(wanted) + 1)
}

/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import type { Category } from '#web/contract/taxonomy.ts'
import { listening, visit } from '../support/visit.ts'
import {
  chooseTab,
  endSessions,
  expect,
  expectToast,
  openDashboard,
  password,
  signInBrowser,
  test,
} from './dashboard.ts'

const rows = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading }).getByRole('listitem')

for (const { kind, heading } of [
  { kind: 'Category', heading: 'Categories' },
  { kind: 'Medium', heading: 'Mediums' },
] as const) {
  test(`a ${kind.toLowerCase()} is added, refused twice, edited, put aside and deleted`, async ({
    page,
    workshop,
  }) => {
    await openDashboard(page, workshop.site, 'Categories')
    const name = `${kind} for Walls`
    await page.getByRole('button', { name: `Add ${kind}` }).click()
    const dialog = page.getByRole('dialog', { name: `Add ${kind}` })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await dialog.getByRole('button', { name: `Add ${kind}` }).click()
    await expect(dialog).toContainText('Name is required')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Sort order').fill('abc')
    await dialog.getByRole('button', { name: `Add ${kind}` }).click()
    await expectToast(page, 'Success', `${kind} created successfully.`)
    const row = rows(page, heading).filter({ hasText: name })
    await expect(row).toContainText('order 0')
    await expect(page.getByRole('button', { name: `Add ${kind}` })).toBeFocused()

    await page.getByRole('button', { name: `Add ${kind}` }).click()
    await dialog.getByLabel('Name').fill(name.toUpperCase())
    await dialog.getByRole('button', { name: `Add ${kind}` }).click()
    await expectToast(page, 'Error', `Failed to create ${kind.toLowerCase()}`)
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(new RegExp(name))
    // As a paste does, it heeds what a field takes at most.
    await dialog.getByLabel('Description').focus()
    await page.keyboard.insertText('w'.repeat(5_001))
    await dialog.getByLabel('Name').selectText()
    await page.keyboard.insertText('n'.repeat(201))
    await dialog.getByRole('button', { name: `Add ${kind}` }).click()
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/at most 200 characters/)
    await expect(dialog.getByLabel('Description')).toHaveAccessibleDescription(/at most 5,000 characters/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toBeHidden()

    await row.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: `Edit ${kind}` })
    await edit.getByLabel('Description').fill('Commissioned walls')
    await edit.getByRole('button', { name: `Update ${kind}` }).click()
    await expectToast(page, 'Success', `${kind} updated successfully.`)
    await expect(row).toContainText('Commissioned walls')

    await row.getByRole('switch').click()
    await expect(row).toContainText('Inactive')
    await expect(row.getByRole('switch')).not.toBeChecked()

    await row.getByRole('button', { name: 'Delete' }).click()
    const confirm = page.getByRole('alertdialog', { name: `Delete ${kind}` })
    await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expect(confirm).toContainText('No work uses it.')
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Success', `${kind} deleted successfully.`)
    await expect(row).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Add ${kind}` })).toBeFocused()
  })
}

test('empty lists say so in the words of the specification', async ({ page, workshop: { site } }) => {
  await page.route(/\/api\/(?:categories|mediums)$/, (route) => route.fulfill({ json: [] }))
  await openDashboard(page, site, 'Categories')
  await expect(page.getByText('No categories found. Add your first category!')).toBeVisible()
  await expect(page.getByText('No mediums found. Add your first medium!')).toBeVisible()
})

test.describe('what is typed into a new category while it is being added', () => {
  const typed = 'Looked up to'
  /** Adds a category, and types into its description before that is answered. @param then done before the answer, too */
  const addWhileTyping = async (page: Page, name: string, then?: () => Promise<void>): Promise<void> => {
    const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    await page.route('**/api/categories', async (route) => {
      if (route.request().method() === 'POST') {
        asked.resolve(undefined)
        await answered.promise
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Add Category' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Add Category' }).click()
    await asked.promise
    await page.getByRole('dialog').getByLabel('Description').fill(typed)
    await then?.()
    answered.resolve(undefined)
    await expectToast(page, 'Success', 'Category created successfully.')
  }
  /** The dialog, which has gone on with the category. */
  const goneOn = async (page: Page) => {
    const dialog = page.getByRole('dialog', { name: 'Edit Category' })
    await expect(dialog.getByLabel('Description')).toBeFocused()
    await expect(dialog.getByLabel('Description')).toHaveValue(typed)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    return dialog
  }
  /** Brings it back as what it is: a draft of the category, and not of another new one. */
  const expectDraftOf = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(dialog.getByLabel('Description')).toHaveValue(typed)
    await dialog.getByRole('button', { name: 'Update Category' }).click()
    await expectToast(page, 'Success', 'Category updated successfully.')
    await page.getByRole('button', { name: 'Add Category' }).click()
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await expect(dialog.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  }

  test('goes on as a change of it', async ({ page, workshop: { site, owner } }) => {
    await openDashboard(page, site, 'Categories')
    await addWhileTyping(page, 'Ceilings')
    const dialog = await goneOn(page)
    await dialog.getByRole('button', { name: 'Update Category' }).click()
    await expectToast(page, 'Success', 'Category updated successfully.')
    await expect(dialog).toBeHidden()
    const saved = await owner<Category[]>('GET', '/api/categories')
    const descriptions = saved.filter(({ name }) => name === 'Ceilings').map((each) => each.description)
    expect(descriptions).toEqual([typed])
  })

  test('waits as a draft of it, not of another new one', async ({ page, workshop: { site } }) => {
    await openDashboard(page, site, 'Categories')
    await addWhileTyping(page, 'Floors')
    await goneOn(page)
    page.on('dialog', (question) => void question.accept())
    await visit(page, `${site.url}/admin`)
    await expectDraftOf(page, 'Floors')
  })

  test('waits so where its dialog was closed before the answer', async ({ page, workshop: { site } }) => {
    await openDashboard(page, site, 'Categories')
    await addWhileTyping(page, 'Doors', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await expectDraftOf(page, 'Doors')
  })
})

test('another device changes the same field meanwhile: both values are shown, and she chooses', async ({
  page,
  workshop: { site, owner },
}) => {
  const { id } = await owner<Category>('POST', '/api/categories', { name: 'Murals', description: 'Walls' })
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Edit Murals' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Category' })
  await dialog.getByLabel('Description').fill('My walls')
  await owner('PUT', `/api/categories/${id}`, { description: 'Her walls' })
  const notice = dialog.getByRole('alert').filter({ hasText: 'changed meanwhile' })
  await expect(notice).toContainText('My walls')
  await expect(notice).toContainText('Her walls')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Update Category' }).click()
  await expectToast(page, 'Success', 'Category updated successfully.')
  const saved = await owner<Category[]>('GET', '/api/categories')
  expect(saved.find((each) => each.id === id)?.description).toBe('My walls')
})

test('a stale save is refused, shows both values and overwrites nothing', async ({
  page,
  workshop: { site, owner },
}) => {
  const { id } = await owner<Category>('POST', '/api/categories', { name: 'Prints', description: 'Paper' })
  await page.route('**/api/changes*', (route) => route.abort())
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Edit Prints' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Category' })
  await dialog.getByLabel('Description').fill('Mine')
  await owner('PUT', `/api/categories/${id}`, { description: 'Theirs' })
  await dialog.getByRole('button', { name: 'Update Category' }).click()
  await expectToast(page, 'Error', 'Failed to update category')
  await expect(dialog.getByRole('alert').filter({ hasText: 'changed meanwhile' })).toContainText('Theirs')
  await dialog.getByRole('button', { name: 'Take the saved one' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Description'), 'only the question is closed').toHaveValue('Mine')
  await dialog.getByRole('button', { name: 'Take the saved one' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take the saved one' }).click()
  await expect(dialog.getByLabel('Description')).toHaveValue('Theirs')
})

test('with less motion a word beside a pencil goes when another dialog opens', async ({
  page,
  workshop: { site, owner },
}) => {
  await owner('POST', '/api/categories', { name: 'Still Lives' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openDashboard(page, site, 'Categories')
  const pencil = page.getByRole('button', { name: 'Edit Still Lives' })
  const hint = page.locator('[data-radix-popper-content-wrapper]')
  await pencil.click()
  await page.keyboard.press('Escape')
  // The focus that comes back to the pencil shows it.
  await expect(hint).toHaveCount(1)
  await pencil.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Category' })).toBeVisible()
  await expect(hint).toHaveCount(0)
})

test('deleted on another device while she types: the dialog stays and says so', async ({
  page,
  workshop: { site, owner },
}) => {
  const { id } = await owner<Category>('POST', '/api/categories', { name: 'Passing' })
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Edit Passing' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Category' })
  await dialog.getByLabel('Description').fill('Words that took a while')
  await owner('DELETE', `/api/categories/${id}`)
  await expect(dialog.getByRole('alert').filter({ hasText: 'deleted meanwhile' })).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Words that took a while')
  await dialog.getByRole('button', { name: 'Update Category' }).click()
  await expectToast(page, 'Error', 'Failed to update category')
  await expect(dialog.getByLabel('Description')).toHaveValue('Words that took a while')
})

test('leaving with unsaved changes asks first: Escape, tab, Back and close', async ({
  page,
  workshop: { site },
}) => {
  await signInBrowser(page.context(), site)
  await visit(page, `${site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  await chooseTab(page, 'Categories')
  await page.getByRole('button', { name: 'Add Medium' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Medium' })
  await dialog.getByLabel('Name').fill('Half typed')
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ]) {
    await leave()
    await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Half typed')
  }
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toBeHidden()
})

test('an Escape that ends the composing of a word closes nothing', async ({ page, workshop: { site } }) => {
  await signInBrowser(page.context(), site)
  await visit(page, `${site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  const composed = (field: Locator) =>
    field.dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true, cancelable: true })
  await chooseTab(page, 'Gallery')
  await composed(page.getByRole('searchbox'))
  await chooseTab(page, 'Categories')
  await page.getByRole('button', { name: 'Add Category' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Category' })
  await composed(dialog.getByLabel('Name'))
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the session dies while she types: no character is lost', async ({
  page,
  workshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Blog')
  await chooseTab(page, 'Categories')
  await page.getByRole('button', { name: 'Add Category' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Category' })
  await dialog.getByLabel('Name').fill('Monsoon studies')
  await dialog.getByLabel('Description').fill('Every morning of July,\nin ink')
  await endSessions(owner)
  await dialog.getByRole('button', { name: 'Add Category' }).click()
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeVisible()
  await expect(page).toHaveURL(`${site.url}/admin`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByRole('tab', { name: 'Categories' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue('Monsoon studies')
  await expect(dialog.getByLabel('Description')).toHaveValue('Every morning of July,\nin ink')
})

test.describe('a list that cannot be loaded again', () => {
  test.use({ expectedComplaints: /^Failed to load resource/ })

  test('is asked for once, says so, and comes with "Try again"', async ({
    page,
    ownWorkshop: { site, owner },
  }) => {
    const category = await owner<Category>('POST', '/api/categories', { name: 'Landscape' })
    await openDashboard(page, site, 'Categories')
    await expect(page.getByText('No mediums found. Add your first medium!')).toBeVisible()
    await listening(page)
    // A stream's first notice names everything: once one of the other list is shown, it was taken.
    await owner('POST', '/api/mediums', { name: 'Ink' })
    await expect(rows(page, 'Mediums')).toContainText(['Ink'])
    let asked = 0
    await page.route('**/api/categories', (route) => {
      asked += 1
      return route.abort()
    })
    // Who has scrolled down sees it too.
    await page.setViewportSize({ width: 360, height: 400 })
    await page.getByText('Ink', { exact: true }).evaluate((row) => row.scrollIntoView({ block: 'center' }))
    await owner('PUT', `/api/categories/${category.id}`, { name: 'Seascape' })
    const said = page.getByRole('alert').filter({ hasText: 'What you see may be out of date' })
    await expect(said).toBeInViewport({ ratio: 1 })
    await expect(rows(page, 'Categories')).toContainText(['Landscape'])
    expect(asked).toBe(1)
    await page.unroute('**/api/categories')
    await said.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page, 'Categories')).toContainText(['Seascape'])
    await expect(said).toBeHidden()
    await expect(page.getByRole('tabpanel')).toBeFocused()
  })
})

test('with the server gone each change fails with its toast, is taken back, and nothing typed is lost', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await owner('POST', '/api/categories', { name: 'Landscape' })
  await owner('POST', '/api/mediums', { name: 'Ink' })
  await openDashboard(page, site, 'Categories')
  await expect(page.getByText('Ink', { exact: true })).toBeVisible()
  await site.stop()

  for (const { kind, heading, name } of [
    { kind: 'Category', heading: 'Categories', name: 'Landscape' },
    { kind: 'Medium', heading: 'Mediums', name: 'Ink' },
  ] as const) {
    const word = kind.toLowerCase()
    const row = rows(page, heading).filter({ hasText: name })
    await row.getByRole('switch').click()
    await expectToast(page, 'Error', `Failed to update ${word}`)
    await expect(row.getByRole('switch')).toBeChecked()

    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Error', `Failed to delete ${word}`)
    await expect(row).toHaveCount(1)

    await page.getByRole('button', { name: `Add ${kind}` }).click()
    const dialog = page.getByRole('dialog', { name: `Add ${kind}` })
    await dialog.getByLabel('Name').fill('Kept')
    await dialog.getByRole('button', { name: `Add ${kind}` }).click()
    await expectToast(page, 'Error', `Failed to create ${word}`)
    await expect(dialog.getByRole('alert')).toContainText('The site cannot be reached')
    await expect(dialog.getByLabel('Name')).toHaveValue('Kept')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
  }
})

test('a name given here is at once among the tab counts', async ({ page, workshop: { site, owner } }) => {
  await openDashboard(page, site, 'Categories')
  const count = async (): Promise<number> =>
    Number(/\d+/.exec((await page.getByRole('tab', { name: 'Categories' }).textContent()) ?? '')?.[0])
  await expect.poll(count).not.toBeNaN()
  const before = await count()
  await owner('POST', '/api/mediums', { name: 'Silverpoint' })
  await expect.poll(count).toBe(before + 1)
  await chooseTab(page, 'Messages')
})

test('quick taps on a switch are sent in their order, and the last one stays', async ({
  page,
  workshop: { site, owner },
}) => {
  const { id } = await owner<Category>('POST', '/api/categories', { name: 'Quick' })
  await openDashboard(page, site, 'Categories')
  const flag = rows(page, 'Categories').filter({ hasText: 'Quick' }).getByRole('switch')
  await flag.waitFor()
  const answered: boolean[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'PUT') answered.push(response.ok())
  })
  // Each once the one before it is drawn: presses before anything is drawn are one.
  await flag.evaluate(async (element: HTMLElement) => {
    for (let tap = 0; tap < 3; tap += 1) {
      const before = element.ariaChecked
      element.click()
      while (element.ariaChecked === before) await new Promise(requestAnimationFrame)
    }
  })
  await expect(flag).not.toBeChecked()
  await expect.poll(() => answered).toEqual([true, true, true])
  await expect(flag).not.toBeChecked()
  const saved = await owner<Category[]>('GET', '/api/categories')
  expect(saved.find((each) => each.id === id)?.isActive).toBe(false)
})

for (const { kind, heading, path } of [
  { kind: 'Category', heading: 'Categories', path: '/api/categories' },
  { kind: 'Medium', heading: 'Mediums', path: '/api/mediums' },
] as const) {
  test(`${heading} are put in order by moving, the focus follows, and a move is taken back in its message`, async ({
    page,
    ownWorkshop: { site, owner },
  }) => {
    for (const name of ['A', 'B', 'C']) await owner('POST', path, { name })
    const order = async (): Promise<string> =>
      (await owner<Category[]>('GET', path)).map(({ name }) => name).join('')
    await openDashboard(page, site, 'Categories')
    const shown = rows(page, heading).locator('strong')
    await page.getByRole('button', { name: `Arrange ${heading}` }).click()
    const down = page.getByRole('button', { name: 'Move down: A' })
    await down.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('A moved to place 2 of 3.')).toBeAttached()
    await expectToast(page, 'Success', `${kind} updated successfully.`)
    await expect(shown).toHaveText(['B', 'A', 'C'])
    await expect(down).toBeFocused()
    expect(await order()).toBe('BAC')

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(shown).toHaveText(['A', 'B', 'C'])
    expect(await order()).toBe('ABC')

    const grips = page.locator('[data-drag]')
    const from = (await grips.nth(2).boundingBox())!
    const to = (await grips.nth(0).boundingBox())!
    await page.mouse.move(from.x + 20, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 8 })
    await page.mouse.up()
    await expect(shown).toHaveText(['C', 'A', 'B'])
    await expect.poll(order).toBe('CAB')

    await page.getByRole('button', { name: `Arrange ${heading}` }).click()
    await expect(page.getByRole('button', { name: 'Edit A' })).toBeVisible()
  })
}

import type { MouseEvent } from 'react'
import { allCategories, allCategoriesLabel } from '#web/contract/artwork-address.ts'
import styles from './filter-bar.module.css'

type FilterBarProps = {
  /** names of the active categories, in order */
  categories: readonly string[]
  /** null shows all artworks */
  category: string | null
  onCategory: (category: string | null) => void
}

/** Toggle buttons that filter one list; where no script runs, a form that asks for the filtered page. */
export function FilterBar({ categories, category, onCategory }: FilterBarProps) {
  const press = (name: string | null) => (event: MouseEvent) => {
    event.preventDefault()
    onCategory(name)
  }
  return (
    <form className={styles.bar} action="/#gallery" data-unprinted>
      {/* eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset would submit nothing more and cannot scroll sideways */}
      <div role="group" aria-label="Category">
        <button
          type="submit"
          name="category"
          value={allCategories}
          aria-pressed={category === null}
          onClick={press(null)}
        >
          {allCategoriesLabel}
        </button>
        {categories.map((name) => (
          <button
            key={name}
            type="submit"
            name="category"
            value={name}
            aria-pressed={category === name}
            onClick={press(name)}
            dir="auto"
          >
            {name}
          </button>
        ))}
      </div>
    </form>
  )
}

import { useCategories, useMediums } from '../lib/queries.ts'
import { PanelHead } from '../form/panel.tsx'
import styles from './categories-tab.module.css'
import { TaxonomyList } from './taxonomy-list.tsx'

/** The Categories tab: two lists side by side. */
export function CategoriesTab() {
  const categories = useCategories()
  const mediums = useMediums()
  return (
    <>
      <PanelHead title="Categories & Mediums" />
      <div className={styles.lists}>
        <TaxonomyList kind="category" query={categories} />
        <TaxonomyList kind="medium" query={mediums} />
      </div>
    </>
  )
}

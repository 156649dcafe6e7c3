import { exportArtworks } from '#web/contract/addresses.ts'
import { requestOf } from '../../lib/api.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { Select } from '../../ui/select.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { ArrangeButton } from '../arrange/move-buttons.tsx'
import { ARRANGE } from '../arrange/moves.ts'
import { useFocusWhenGone, useMedia } from '../lib/screen.ts'
import { PanelHead } from '../form/panel.tsx'
import { SearchField } from '../form/text-fields.tsx'
import { ARTWORK_WORDS } from './artworks-words.ts'
import { FILTER_STATES, type ArtworkFilter, categoriesOf } from './artwork-filter.ts'
import styles from './artworks-head.module.css'

type ArtworksHeadProps = {
  artworks: readonly Artwork[]
  filter: ArtworkFilter
  onFilter: (filter: ArtworkFilter) => void
  arranging: boolean
  onArrange: (arranging: boolean) => void
  onAdd: () => void
  onSeveral: () => void
  onDeleted: () => void
}

/** The head of the Gallery tab: how many artworks, search, filters, and what can be done with the whole list. */
export function ArtworksHead(props: ArtworksHeadProps) {
  const { artworks, filter, onFilter, onAdd } = props
  const isNarrow = useMedia('(width < 40rem)')
  const categories = categoriesOf(artworks).map((name) => ({ value: name, label: name }))
  return (
    <>
      <PanelHead title={ARTWORK_WORDS.title} remark={`(${artworks.length} artworks)`}>
        <SearchField
          label="Search artworks"
          placeholder="Search title, medium, year"
          className={styles.search}
          value={filter.text}
          onChange={(text) => onFilter({ ...filter, text })}
        />
        {isNarrow && <ToolsMenu {...props} />}
        <Button look="primary" className={styles.add} onClick={onAdd}>
          <AdminIcon name="plus" />
          Add New Artwork
        </Button>
      </PanelHead>
      <div className={styles.tools}>
        <div className={styles.filters}>
          <Select
            name="State"
            value={filter.state}
            options={FILTER_STATES}
            onChange={(state) => onFilter({ ...filter, state })}
          />
          <Select
            name="Category"
            value={filter.category}
            options={[{ value: '', label: 'All categories' }, ...categories]}
            onChange={(category) => onFilter({ ...filter, category })}
          />
        </div>
        {isNarrow ? <DeletedButton onDeleted={props.onDeleted} /> : <Tools {...props} />}
      </div>
    </>
  )
}

const SEVERAL = 'Add several'
const INVENTORY = 'Inventory (CSV)'
const INVENTORY_PATH = requestOf(exportArtworks, {}).path

function Tools({ arranging, onArrange, onSeveral, onDeleted }: ArtworksHeadProps) {
  return (
    <div className={styles.buttons}>
      <ArrangeButton arranging={arranging} onArrange={onArrange} />
      <Button look="plain" onClick={onSeveral}>
        <AdminIcon name="several" />
        {SEVERAL}
      </Button>
      <DeletedButton onDeleted={onDeleted} />
      <ButtonLink look="plain" href={INVENTORY_PATH} download>
        <AdminIcon name="download" />
        {INVENTORY}
      </ButtonLink>
    </div>
  )
}

function DeletedButton({ onDeleted }: Pick<ArtworksHeadProps, 'onDeleted'>) {
  return (
    <Button look="plain" onClick={onDeleted}>
      <AdminIcon name="undo" />
      {ARTWORK_WORDS.deleted}
    </Button>
  )
}

/** On a phone the same behind one button beside the search; while arranging, the way out of it. */
function ToolsMenu(props: ArtworksHeadProps) {
  const { arranging, onArrange, onSeveral } = props
  const standing = (): HTMLElement | null => document.querySelector('[data-tools], [data-arrange]')
  // Each takes the other's place.
  useFocusWhenGone(!arranging, standing)
  useFocusWhenGone(arranging, standing)
  if (arranging) return <ArrangeButton arranging onArrange={onArrange} />
  return (
    <Menu
      trigger={
        <Button only className={styles.menu} data-tools aria-label="More about the gallery">
          <AdminIcon name="more" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onArrange(true)}>{ARRANGE}</MenuItem>
      <MenuItem onSelect={onSeveral}>{SEVERAL}</MenuItem>
      <MenuLink href={INVENTORY_PATH} download>
        {INVENTORY}
      </MenuLink>
    </Menu>
  )
}

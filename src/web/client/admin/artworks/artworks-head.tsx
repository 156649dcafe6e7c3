import { exportArtworks } from '#web/contract/addresses.ts'
import { requestOf } from '../../lib/request.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { Select } from '../../ui/select.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { ArrangeButton } from '../arrange/move-buttons.tsx'
import { ARRANGE_WORDS } from '../arrange/moves.ts'
import { Quiet } from '../../ui/quiet.tsx'
import control from '../../ui/control.module.css'
import field from '../form/field.module.css'
import { useMedia } from '../lib/screen.ts'
import { PanelHead } from '../form/panel.tsx'
import { GALLERY_WORDS, countOfArtworks } from './artworks-words.ts'
import { FILTER_STATES, type ArtworkFilter, categoriesOf } from './artwork-filter.ts'
import styles from './artworks-head.module.css'

type GalleryHeadProps = {
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
export function GalleryHead(props: GalleryHeadProps) {
  const { artworks, filter, onFilter, onAdd } = props
  const isNarrow = useMedia('(width < 40rem)')
  const categories = categoriesOf(artworks).map((name) => ({ value: name, label: name }))
  return (
    <>
      <PanelHead title={GALLERY_WORDS.title} remark={countOfArtworks(artworks.length)}>
        <label className={classNames(field.search, styles.search)}>
          <Quiet>{GALLERY_WORDS.search}</Quiet>
          <AdminIcon name="search" />
          <input
            type="search"
            className={control.control}
            placeholder={GALLERY_WORDS.searchHint}
            value={filter.text}
            onChange={({ target }) => onFilter({ ...filter, text: target.value })}
          />
        </label>
        {isNarrow && <ToolsMenu {...props} />}
        <Button look="primary" className={styles.add} onClick={onAdd}>
          <AdminIcon name="plus" />
          {GALLERY_WORDS.add}
        </Button>
      </PanelHead>
      <div className={styles.tools}>
        <div className={styles.filters}>
          <Select
            name={GALLERY_WORDS.filterState}
            value={filter.state}
            options={FILTER_STATES}
            onChange={(state) => onFilter({ ...filter, state })}
          />
          <Select
            name={GALLERY_WORDS.filterCategory}
            value={filter.category}
            options={[{ value: '', label: GALLERY_WORDS.anyCategory }, ...categories]}
            onChange={(category) => onFilter({ ...filter, category })}
          />
        </div>
        {isNarrow ? <DeletedButton onDeleted={props.onDeleted} /> : <Tools {...props} />}
      </div>
    </>
  )
}

const INVENTORY = requestOf(exportArtworks, {}).path

function Tools({ arranging, onArrange, onSeveral, onDeleted }: GalleryHeadProps) {
  return (
    <div className={styles.buttons}>
      <ArrangeButton arranging={arranging} onArrange={onArrange} />
      <Button look="plain" onClick={onSeveral}>
        <AdminIcon name="several" />
        {GALLERY_WORDS.several}
      </Button>
      <DeletedButton onDeleted={onDeleted} />
      <ButtonLink look="plain" href={INVENTORY} download>
        <AdminIcon name="download" />
        {GALLERY_WORDS.inventory}
      </ButtonLink>
    </div>
  )
}

function DeletedButton({ onDeleted }: Pick<GalleryHeadProps, 'onDeleted'>) {
  return (
    <Button look="plain" onClick={onDeleted}>
      <AdminIcon name="undo" />
      {GALLERY_WORDS.deleted}
    </Button>
  )
}

/** On a phone the same behind one button beside the search; while arranging, the way out of it. */
function ToolsMenu(props: GalleryHeadProps) {
  const { arranging, onArrange, onSeveral } = props
  if (arranging) return <ArrangeButton arranging onArrange={onArrange} />
  return (
    <Menu
      trigger={
        <Button only className={styles.menu} data-tools aria-label={GALLERY_WORDS.tools}>
          <AdminIcon name="more" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onArrange(true)}>{ARRANGE_WORDS.arrange}</MenuItem>
      <MenuItem onSelect={onSeveral}>{GALLERY_WORDS.several}</MenuItem>
      <MenuLink href={INVENTORY} download>
        {GALLERY_WORDS.inventory}
      </MenuLink>
    </Menu>
  )
}

import type { ComponentProps } from 'react'
import { Button } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import rows from './rows.module.css'

type RowButtonProps = ComponentProps<typeof Button> & {
  hint: string
  icon: AdminIconName
}

/** A lone icon in a row of a list; what it does is read while one points at it. */
export function RowButton({ hint, icon, ...button }: RowButtonProps) {
  return (
    <Tooltip text={hint}>
      <Button look="plain" only className={rows.only} {...button}>
        <AdminIcon name={icon} />
      </Button>
    </Tooltip>
  )
}

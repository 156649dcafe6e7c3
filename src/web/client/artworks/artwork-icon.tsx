import { Drawing } from '../ui/icon.tsx'

/** Drawings that only an open artwork shows, as in `ui/icon.tsx`. */
const PATHS = {
  previous: 'M14.5 5.5 8 12l6.5 6.5',
  zoomIn: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20M10.5 8v5M8 10.5h5',
  zoomOut: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20M8 10.5h5',
  share: 'M12 15V4M8 7.5 12 3.8l4 3.7M6 11.5H5V20h14v-8.5h-1',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  save: 'M12 4v11M7.5 11 12 15.3 16.5 11M5 19.5h14',
  mail: 'M4 6h16v12H4zM4.5 6.5 12 13l7.5-6.5',
  whatsapp: 'M4.5 19.5 6 15.6A7.6 7.6 0 1 1 9 18.3zM9 10.5h6M9 13.5h3.5',
} as const

export function ArtworkIcon({ name }: { name: keyof typeof PATHS }) {
  return <Drawing path={PATHS[name]} />
}

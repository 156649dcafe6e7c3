import { Drawing } from '../ui/icon.tsx'

/** Line drawings of the dashboard on a 24 px grid; apart from `ui/icon.tsx`, which visitors download. */
const PATHS = {
  content: 'M5 6h14M5 10.5h14M5 15h9M5 19.5h6',
  frame: 'M4 4h16v16H4zM8 8h8v8H8z',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  book: 'M12 7c-2-1.5-5-1.8-8-1.5v13c3-.3 6 0 8 1.5 2-1.5 5-1.8 8-1.5v-13C17 5.2 14 5.5 12 7zm0 0v13',
  mail: 'M4 6h16v12H4zM4.5 6.5 12 13l7.5-6.5',
  clock: 'M12 6v6l4 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  leave: 'M14 5H5v14h9M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20',
  edit: 'M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3',
  bin: 'M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7M10.5 11v5.5M13.5 11v5.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5C18 5.5 21.5 12 21.5 12a16 16 0 0 1-3 3.7M6 7.5A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.9M10 10a3 3 0 0 0 4 4',
  sync: 'M19.5 9A8 8 0 0 0 5.5 7L4 9M4 4.5V9h4.5M4.5 15a8 8 0 0 0 14 2l1.5-2M20 19.5V15h-4.5',
  undo: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  upload: 'M12 16V5M7.5 9 12 4.5 16.5 9M5 16v3.5h14V16',
  download: 'M12 4v11M7.5 11 12 15.3 16.5 11M5 19.5h14',
  check: 'M5 12.5 10 17.5 19.5 7',
  up: 'M12 19V5.5M6.5 11 12 5.5 17.5 11',
  down: 'M12 5v13.5M6.5 13l5.5 5.5 5.5-5.5',
  first: 'M12 20V8.5M6.5 14 12 8.5l5.5 5.5M6 4.5h12',
  last: 'M12 4v11.5M6.5 10l5.5 5.5 5.5-5.5M6 19.5h12',
  more: 'M4.7 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M11.2 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M17.7 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0',
  grip: 'M5 8h14M5 12h14M5 16h14',
  arrange: 'M8 19V5M4.5 8.5 8 5l3.5 3.5M16 5v14M12.5 15.5 16 19l3.5-3.5',
  several: 'M4 7.5h12v12H4zM8 7.5v-4h12v12h-4',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  reply: 'M10 6 4.5 11.5 10 17M4.5 11.5H14a5.5 5.5 0 0 1 5.5 5.5v1.5',
  whatsapp: 'M4.5 19.5 6 15.6A7.6 7.6 0 1 1 9 18.3zM9 10.5h6M9 13.5h3.5',
  orderedList: 'M10 6h10M10 12h10M10 18h10M4 4.5h1.5V9M4 14h3l-3 4.5h3',
  bulletList: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  blockquote: 'M10 7c-3 .5-5 2.5-5 6v4h5v-5H7.5M19.5 7c-3 .5-5 2.5-5 6v4h5v-5H17',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.5l-3 3A4 4 0 0 0 10.7 18.2l1.3-1.3',
  clean: 'M6 5h12M12 5 9.5 19M15 15l5 5M20 15l-5 5',
} as const

export type AdminIconName = keyof typeof PATHS

export function AdminIcon({ name, className }: { name: AdminIconName; className?: string | undefined }) {
  return <Drawing path={PATHS[name]} className={className} />
}

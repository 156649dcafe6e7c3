import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const fonts = join(import.meta.dirname, '..', 'fonts')

type Machine = {
  /** below `test/fonts` */
  readonly folders: readonly string[]
  readonly serif: string
  readonly sans: string
}

/** Machines by the fonts they have. The last one has no serif that our pages know. */
const fontSets = {
  dejavu: { folders: ['dejavu'], serif: 'DejaVu Serif', sans: 'DejaVu Sans' },
  times: { folders: ['times'], serif: 'Tinos', sans: 'Arimo' },
  noto: { folders: ['noto', 'roboto'], serif: 'Noto Serif', sans: 'Roboto' },
  unknown: { folders: ['roboto'], serif: 'Roboto', sans: 'Roboto' },
} as const satisfies Record<string, Machine>

export type FontSet = keyof typeof fontSets

const alias = (name: string, family: string): string =>
  `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="assign" binding="strong"><string>${family}</string></edit></match>`

const configOf = ({ folders, serif, sans }: Machine, cache: string): string =>
  [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    ...folders.map((folder) => `<dir>${join(fonts, folder)}</dir>`),
    `<cachedir>${cache}</cachedir>`,
    alias('serif', serif),
    ...['sans-serif', 'system-ui', 'monospace'].map((name) => alias(name, sans)),
    '</fontconfig>',
  ].join('')

/**
 * The environment for a browser that finds only the fonts of a set, whatever this machine has. Where there is no
 * fontconfig (macOS), the browser keeps the system's fonts, which our pages know.
 */
export function envWithFonts(set: FontSet): Record<string, string> {
  const place = join(tmpdir(), `atelier-fonts-${process.pid}`)
  mkdirSync(place, { recursive: true })
  const file = join(place, `${set}.conf`)
  writeFileSync(file, configOf(fontSets[set], join(place, 'cache')))
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(inherited), FONTCONFIG_FILE: file }
}

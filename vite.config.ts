import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { buildTargets } from './build/lint/browsers.ts'
import { fallbackFonts } from './src/web/client/styles/fallback-fonts.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The styles of what stands below the first view of the homepage, or on no page that visitors come to first. */
const BELOW =
  /\/(?:menu-sheet|about|achievements|skeleton|awaited|filter-bar|gallery|journal|contact|message-form|footer|notice|not-found|error-page|admin-page|waiting)\.module\.css$/

/** What the browser's files are called. */
const NAMES = {
  entryFileNames: 'assets/[name]-[hash:6].js',
  chunkFileNames: 'assets/[name]-[hash:6].js',
  assetFileNames: 'assets/[name]-[hash:6][extname]',
}

/** What every page has that loads a chunk. */
const THERE = /\/(?:rolldown-runtime|react|tanstack|below|entry)-[\w-]{6}\.js$/

/** What is fetched before a chunk is imported: itself, and what it needs beyond that. */
const filesOf = (chunk: string, imported: string[]): string[] =>
  [...new Set([chunk, ...imported])].filter((file) => !THERE.test(file))

/** Has every `import()` fetch before it imports, in the place of the bundler's own loader. */
const importsAreFetched: Plugin = {
  name: 'imports-are-fetched',
  enforce: 'pre',
  apply: 'build',
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () =>
      `export { importFetched as __vitePreload } from '${at('src/web/client/lib/import-fetched.ts')}'`,
  },
}

/** Router and Query as every page needs them. */
const TANSTACK =
  /node_modules\/(?:@tanstack\/(?!react-virtual|virtual-core|.*(?:useMutation|useInfiniteQuery|mutationObserver|infiniteQueryObserver)\.js)|seroval\b)/

const ENTRY = at('src/web/client/entry-client.tsx')

/** The modules that the entry imports at once: they are one file, whatever later chunks use of them as well. */
const atOnce = new Set<string>()
const findAtOnce: Plugin = {
  name: 'at-once',
  buildEnd() {
    const visit = (id: string): void => {
      if (atOnce.has(id)) return
      atOnce.add(id)
      this.getModuleInfo(id)?.importedIds.forEach(visit)
    }
    visit(ENTRY)
  },
}

/**
 * The names of classes as exports of their own (ADR 45): the bundler writes each name where it is used and leaves out the table
 * of all names, but for files that look a class up in it.
 */
const classNamesInPlace: Plugin = {
  name: 'class-names-in-place',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: /\/src\/web\/client\/.*\.tsx?$/ },
    handler: (code) =>
      code.replace(/^import (\w+) from (?='[^']+\.module\.css')/gm, (plain, name: string) =>
        code.includes(`${name}[`) ? plain : `import * as ${name} from `,
      ),
  },
}

/** A sheet stays in the build where all names of its classes were written in place. */
const sheetsStay: Plugin = {
  name: 'sheets-stay',
  enforce: 'post',
  apply: 'build',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
}

/**
 * The server's file holds nothing of the dashboard, which a page reaches by `import()` alone and no server renders: every
 * process would read and keep it.
 */
const withoutDashboard: Plugin = {
  name: 'without-dashboard',
  enforce: 'pre',
  load: { filter: { id: /\/src\/web\/client\/admin\// }, handler: () => 'export default null' },
}

/** Puts what stands in for the fonts behind what base.css imports. */
const withFallbackFonts: Plugin = {
  name: 'fallback-fonts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/client\/styles\/base\.css$/ },
    handler: (code) => `${code}\n${fallbackFonts()}`,
  },
}

/**
 * One configuration for the browser's build, the server's build of the same screens and the dev server.
 * `build/client.ts` runs it three times, the third for the script that stands in every page; the server bundle carries React with it, so that a page is rendered by
 * one file that starts quickly and is loaded only when a page must really be rendered.
 */
export default defineConfig(({ command, isSsrBuild, mode }): UserConfig => {
  const isInline = mode === 'inline'
  return {
    appType: 'custom',
    publicDir: isSsrBuild || isInline ? false : at('src/web/client/public'),
    plugins: [
      react(),
      findAtOnce,
      classNamesInPlace,
      sheetsStay,
      importsAreFetched,
      withFallbackFonts,
      isSsrBuild ? withoutDashboard : null,
    ],
    // Vite leaves that to the process that runs a server's build, and React's two halves in the file.
    define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {},
    resolve: {
      alias: {
        // Radix locks scrolling with a <style> of changing text, which no hash can allow.
        'react-style-singleton': at('src/web/client/lib/style-singleton.ts'),
      },
    },
    css: { transformer: 'lightningcss' },
    build: isSsrBuild
      ? {
          outDir: 'dist/server',
          target: 'node24',
          copyPublicDir: false,
          minify: true,
          rolldownOptions: {
            input: { 'entry-server': at('src/web/client/entry-server.tsx') },
            // One file: nothing is fetched later on a server. V8 keeps a source with a dash or a quote of print in it at
            // two bytes for each character.
            output: { codeSplitting: false, charset: 'ascii' },
          },
        }
      : isInline
        ? {
            outDir: 'dist/inline',
            target: buildTargets,
            modulePreload: { polyfill: false },
            rolldownOptions: {
              optimization: { inlineConst: { mode: 'all' } },
              input: { main: at('src/web/client/inline/main.ts') },
              output: { codeSplitting: false, entryFileNames: '[name].js' },
            },
          }
        : {
            outDir: 'dist/client',
            manifest: true,
            target: buildTargets,
            cssMinify: 'lightningcss',
            assetsInlineLimit: 0,
            modulePreload: {
              polyfill: false,
              resolveDependencies: filesOf,
            },
            rolldownOptions: {
              // The address of a call stands where it is called; else those of the dashboard came with the first page.
              optimization: { inlineConst: { mode: 'all' } },
              input: {
                entry: ENTRY,
                fonts: at('src/web/client/styles/fonts.css'),
              },
              // Files of their own, so that a page can run one after the other: a slow phone answers in between. A new
              // version of our own code leaves them in the browser's cache, and each is counted apart.
              output: {
                // The first script names the others: two characters less of each are forty bytes of it.
                ...NAMES,
                codeSplitting: {
                  groups: [
                    {
                      name: 'react',
                      test: /node_modules\/(?:react|react-dom|scheduler)\/|client\/react\.ts$/,
                    },
                    // Router and Query in one file, but for what only the dashboard asks of them.
                    { name: 'tanstack', test: TANSTACK },
                    // Its sheet is linked where the first view ends; the script is a few names of classes.
                    { name: 'below', test: BELOW },
                    { name: 'program', test: (id) => atOnce.has(id) && !id.includes('node_modules') },
                    // Small ones of the dashboard, each of which would be a file to fetch.
                    {
                      name: 'control',
                      test: /client\/(?:admin\/lib\/use-latest|admin\/admin-constants|ui\/composing|ui\/control)\./,
                    },
                  ],
                },
              },
            },
          },
    // Built, React travels along; in the dev server Node loads it as it is.
    ssr: command === 'build' ? { noExternal: true, target: 'node' } : {},
  }
})

/** The rules of the house that no ready-made lint rule knows. Each has a fixture in test/lint-fixtures. */
import { createRequire } from 'node:module'
import { posix } from 'node:path'
import { type BrowserData, type Unknown, unknownFunctions } from './browsers.ts'
import { judge, judgeForm, judgeZone } from './floors.ts'

// The few node shapes the rules look at; the linter publishes no types for its tree.
type Node = {
  readonly type: string
  readonly value?: unknown
  readonly name?: string
  readonly id?: Node | null
  readonly key?: Node
  readonly source?: Node | null
  readonly init?: Node | null
  readonly imported?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly left?: Node
  readonly arguments?: readonly Node[]
  readonly body?: readonly Node[]
  readonly async?: boolean
  readonly generator?: boolean
  readonly optional?: boolean
  readonly parent?: Node
  readonly typeAnnotation?: Node
  readonly typeName?: Node
  readonly loc: Lines
}
type Lines = { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
type Context = {
  readonly filename: string
  readonly sourceCode: { getAllComments(): readonly { readonly loc: Lines }[]; getText(node: Node): string }
  report(found: { node: Node; message: string }): void
}
type Rule = { create(context: Context): Record<string, (node: Node) => void> }

/** The path below the innermost `src`, with forward slashes; null for a file outside it. */
const belowSrc = (filename: string): string | null => {
  const path = filename.replaceAll('\\', '/')
  const at = path.lastIndexOf('/src/')
  return at < 0 ? null : path.slice(at + '/src/'.length)
}

const targetOf = (
  file: string,
  specifier: string,
): { path: string } | { package: string } | { outside: string } => {
  if (specifier.startsWith('#')) return { path: specifier.slice(1) }
  if (!specifier.startsWith('.')) return { package: specifier }
  const path = posix.join(posix.dirname(file), specifier)
  return path.startsWith('../') ? { outside: path } : { path }
}

/** Imports follow the floor table, also type imports, dynamic imports, re-exports and what `createRequire` loads. */
const floors: Rule = {
  create(context) {
    const file = belowSrc(context.filename)
    if (file === null) return {}
    const checkPath = (source: Node, isLater: boolean): void => {
      if (source.type === 'TemplateLiteral')
        context.report({
          node: source,
          message: 'Write what is loaded in plain quotes: the floors are told by it',
        })
      // An address that is reckoned is none of a module of ours that stands in the code.
      if (typeof source.value !== 'string') return
      const target = targetOf(file, source.value)
      const message =
        'outside' in target
          ? `src may not use ${target.outside.replace(/^(\.\.\/)+/, '')}: what the product needs stands in src`
          : (judge(file, target) ??
            ('path' in target
              ? (judgeForm(file, source.value, target.path) ?? judgeZone(file, target.path, isLater))
              : null))
      if (message !== null) context.report({ node: source, message })
    }
    const check = (node: Node): void => {
      if (node.source) checkPath(node.source, node.type === 'ImportExpression')
    }
    const isRequireMade = (node: Node | null | undefined): boolean => node?.callee?.name === 'createRequire'
    return {
      CallExpression({ callee, arguments: [path] = [] }) {
        if (path && (callee?.name === 'require' || isRequireMade(callee))) checkPath(path, false)
      },
      VariableDeclarator({ id, init }) {
        if (id && isRequireMade(init) && id.name !== 'require')
          context.report({ node: id, message: 'Call it require: what it loads is looked for by that name' })
      },
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    }
  },
}

/** No file that only passes on what others export: a reader should land where the thing is. */
const noBarrel: Rule = {
  create(context) {
    const isReExport = (node: Node): boolean =>
      node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && Boolean(node.source))
    return {
      ExportAllDeclaration(node) {
        context.report({
          node,
          message: 'No barrels: import from the file that holds it instead of `export *`',
        })
      },
      Program(node) {
        const body = node.body ?? []
        const first = body.find(isReExport)
        if (first && body.every((each) => isReExport(each) || each.type === 'ImportDeclaration'))
          context.report({
            node: first,
            message: 'No barrels: this file only re-exports; import from the source',
          })
      },
    }
  },
}

/** An async 'data' handler lets events overlap and lose their order (event-sourcing pitfall I): `for await` instead. */
const noAsyncDataHandler: Rule = {
  create(context) {
    return {
      CallExpression(node) {
        const [event, handler] = node.arguments ?? []
        if (!['on', 'once', 'addListener', 'addEventListener'].includes(node.callee?.property?.name ?? ''))
          return
        if (event?.value === 'data' && handler?.async)
          context.report({
            node: handler,
            message: "An async 'data' handler overlaps itself: use `for await`",
          })
      },
    }
  },
}

/** Appending with the expected revision 'any' would let two writers overwrite each other unseen. */
const noAnyRevision: Rule = {
  create(context) {
    const message = "Append with an explicit expected revision (a number or 'none'), never 'any'"
    return {
      Property(node) {
        const name = node.key?.name ?? node.key?.value
        // The value of a property is a node of its own; of a literal it is the text.
        const value = node.value as Node | undefined
        if (/^expected(Revision|Version)?$/.test(String(name)) && value?.value === 'any')
          context.report({ node, message })
      },
      CallExpression(node) {
        const called = node.callee?.property?.name ?? node.callee?.name ?? ''
        const given = node.arguments?.find((argument) => argument.value === 'any')
        if (called.startsWith('append') && given) context.report({ node: given, message })
      },
      ImportSpecifier(node) {
        if (node.imported?.name === 'ANY') context.report({ node, message })
      },
    }
  },
}

const impure = new Map([
  ['Math', ['random']],
  ['Date', ['now']],
  ['performance', ['now']],
  ['crypto', ['randomUUID', 'getRandomValues']],
])

/** The domain takes the time and ids from its commands, so that a decision can be repeated and tested. */
const pureDomain: Rule = {
  create(context) {
    const message = 'The domain has no clock and makes no ids: take it from the command'
    return {
      MemberExpression(node) {
        if (impure.get(node.object?.name ?? '')?.includes(node.property?.name ?? ''))
          context.report({ node, message })
      },
      NewExpression(node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0) context.report({ node, message })
      },
    }
  },
}

/** `as` overrules the compiler: a comment in or just above its statement says why that is right here. */
const reasonForAs: Rule = {
  create(context) {
    const isWhole = (node: Node): boolean =>
      /(Statement|Declaration|Property|PropertyDefinition)$/.test(node.type)
    return {
      TSAsExpression(node) {
        if (node.typeAnnotation?.typeName?.name === 'const') return
        let whole = node
        while (whole.parent && !isWhole(whole)) whole = whole.parent
        const [first, last] = [whole.loc.start.line - 1, whole.loc.end.line]
        const said = context.sourceCode
          .getAllComments()
          .some(({ loc }) => loc.end.line >= first && loc.start.line <= last)
        if (!said)
          context.report({ node, message: 'Say in a comment why this is that type, or let zod check it' })
      },
    }
  },
}

// Read when the first file of the client comes: thousands of names, and most files are none of the client.
let unknown: Unknown | null = null
const unknownToSome = (object: string | undefined, name: string, isMember: boolean): boolean => {
  // The package is this table and nothing else; what is read of it is typed in browsers.ts.
  unknown ??= unknownFunctions(createRequire(import.meta.url)('@mdn/browser-compat-data') as BrowserData)
  if (!isMember || object === 'window') return unknown.globals.has(name)
  return unknown.members.has(name) || unknown.members.has(`${object}.${name}`)
}

/** A function that some browser of ours lacks is asked for before it is called: `x.name?.()`, or a look at `x.name`. */
const knownToBrowsers: Rule = {
  create(context) {
    const isAskedFor = (call: Node, name: string): boolean => {
      let around = call
      while (around.parent && !/Function(Declaration|Expression)$|^Program$/.test(around.type))
        around = around.parent
      const text = context.sourceCode.getText(around)
      return new RegExp(`'${name}' in |\\.${name}\\b(?!\\s*(?:<[^()]*>)?\\()`).test(text)
    }
    return {
      CallExpression(node) {
        const { callee } = node
        const name = callee?.property?.name ?? callee?.name
        if (!callee || !name || node.optional) return
        if (
          unknownToSome(callee.object?.name, name, callee.property !== undefined) &&
          !isAskedFor(node, name)
        )
          context.report({
            node: callee,
            message: `Not every browser of ours has ${name}: ask for it first, or do without`,
          })
      },
    }
  },
}

/** Node strips types and runs the rest: what has no meaning without its types cannot run. */
const noDecorator: Rule = {
  create(context) {
    return {
      Decorator(node) {
        context.report({
          node,
          message: 'No decorators: Node runs this file as it is; call the function instead',
        })
      },
    }
  },
}
const noEnum: Rule = {
  create(context) {
    return {
      TSEnumDeclaration(node) {
        context.report({ node, message: 'No enum: use a union of strings, or a const array and its type' })
      },
    }
  },
}

/** One way to write a function outside the client; what only a declaration can be is a generator. */
const arrowFunctions: Rule = {
  create(context) {
    return {
      FunctionDeclaration(node) {
        if (node.generator === true) return
        context.report({ node, message: 'No function declaration here: write `const name = () => …`' })
      },
    }
  },
}

/** Outside the client a constant is named like any other value. */
const noCapitals: Rule = {
  create(context) {
    return {
      VariableDeclarator(node) {
        if (/^[A-Z][A-Z0-9_]*$/.test(node.id?.name ?? ''))
          context.report({
            node,
            message: 'Capitals are for the constants of the client: name it in camelCase',
          })
      },
    }
  },
}

/** One place for the name of an error, which its subclass can see: a field. */
const errorName: Rule = {
  create(context) {
    return {
      AssignmentExpression(node) {
        if (node.left?.object?.type === 'ThisExpression' && node.left.property?.name === 'name')
          context.report({ node, message: "Write it as a field: `override readonly name = '…'`" })
      },
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: {
    floors,
    'no-barrel': noBarrel,
    'no-async-data-handler': noAsyncDataHandler,
    'no-any-revision': noAnyRevision,
    'pure-domain': pureDomain,
    'reason-for-as': reasonForAs,
    'known-to-browsers': knownToBrowsers,
    'no-decorator': noDecorator,
    'no-enum': noEnum,
    'arrow-functions': arrowFunctions,
    'no-capitals': noCapitals,
    'error-name': errorName,
  },
}

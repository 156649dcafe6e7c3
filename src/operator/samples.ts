import { join } from 'node:path'
import { addSamples, removeSamples } from '#application/samples/samples.ts'
import { operatorContext } from './given.ts'
import type { CommandGroup, Operation } from './operation.ts'

/** Where the sample pictures lie, beside `src`. */
export const samplePath = (file: string): string => join(import.meta.dirname, '../../samples', file)

const add: Operation = {
  name: 'samples add',
  needs: 'site',
  run: async ({ app }) => {
    await addSamples(app, samplePath, operatorContext('samples', app.clock.now()))
    return { message: 'The sample works, texts and posts were added.' }
  },
}

const remove: Operation = {
  name: 'samples remove',
  needs: 'site',
  run: async ({ app }) => {
    await removeSamples(app, operatorContext('samples', app.clock.now()))
    return { message: 'The sample content was removed.' }
  },
}

export const samples: CommandGroup = {
  operations: [add, remove],
  commands: (program, run) => {
    const group = program
      .command('samples')
      .description('The sample works, texts and posts of the first start')
    group
      .command('add')
      .description('add them')
      .action(() => run(add))
    group
      .command('remove')
      .description('remove them, as far as they are unchanged')
      .action(() => run(remove))
  },
}

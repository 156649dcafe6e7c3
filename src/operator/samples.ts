import { join } from 'node:path'
import type { SampleCounts } from '#application/samples/remove-samples.ts'
import { addSamplesOnce, removeAddedSamples } from '#application/samples/samples.ts'
import { samplesInWords } from '#domain/sample-words.ts'
import { Refusal } from '#domain/refusal.ts'
import { operatorContext, type CommandGroup, type Operation, type SitePorts } from './command/operation.ts'

/** Where the sample images lie, beside `src`. */
export const samplePath = (file: string): string => join(import.meta.dirname, '../../samples', file)

/** What is there and what was changed is read off the views: nothing is half done for want of who keeps them. */
const refuseUnlessProjected = async ({ projects }: SitePorts, signal: AbortSignal): Promise<void> => {
  if (await projects(signal)) return
  throw new Refusal(
    'blocked',
    'Nothing keeps the views up to date at the moment: start the server first, a process with the role projector; where one ' +
      'was killed just now, ask again when another has taken over',
  )
}

const add: Operation = {
  name: 'samples add',
  needs: 'site',
  run: async (ports, _args, { signal }) => {
    await refuseUnlessProjected(ports, signal)
    const { app } = ports
    await addSamplesOnce(app, samplePath, operatorContext('samples', app.clock.now()), signal)
    return { message: 'The sample works, texts and posts were added.' }
  },
}

const removedInWords = (counts: SampleCounts): string => {
  const went = samplesInWords((kind) => counts[kind].go).join(', ')
  const stays = samplesInWords((kind) => counts[kind].stay).join(', ')
  const kept = stays === '' ? '' : ` What was changed stays, and what is in use: ${stays}.`
  return went === ''
    ? `There is no sample content that was never changed.${kept}`
    : `The sample content was removed: ${went}.${kept} The dashboard's activity list can bring it back.`
}

const remove: Operation = {
  name: 'samples remove',
  needs: 'site',
  run: async (ports, _args, { signal }) => {
    await refuseUnlessProjected(ports, signal)
    const { app } = ports
    const { counts } = await removeAddedSamples(app, operatorContext('samples', app.clock.now()), signal)
    return { message: removedInWords(counts) }
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
      .description(
        'remove those that were never changed; categories and mediums in use stay, and the activity list can bring all back',
      )
      .action(() => run(remove))
  },
}

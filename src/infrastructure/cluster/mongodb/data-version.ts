import { NewerData } from '../../newer-data.ts'
import { type Mongo, wasFirst } from './mongo.ts'

/** The version of everything kept in MongoDB. Raise it with a step that brings older data to it. */
const dataVersion = 1

/** Whether the version is noted, as it is since this process opened what is there: false when it was emptied since. */
export const holdsData = async (mongo: Mongo): Promise<boolean> =>
  (await mongo.collection<{ _id: string }>('about').findOne({ _id: 'data' })) !== null

/** Notes this version where there is no data yet. @throws {NewerData} */
export const checkDataVersion = async (mongo: Mongo): Promise<void> => {
  const about = mongo.collection<{ _id: string; version: number }>('about')
  const find = () => mongo.ask(() => about.findOne({ _id: 'data' }))
  let stored = await find()
  if (stored === null) {
    await mongo.prepare(() => wasFirst(about.insertOne({ _id: 'data', version: dataVersion })))
    // another process, perhaps of another version, may have been first
    stored = await find()
  }
  if (stored && stored.version > dataVersion) throw new NewerData('in MongoDB', stored.version, dataVersion)
}

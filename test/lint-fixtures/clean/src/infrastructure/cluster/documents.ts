import { MongoClient } from 'mongodb'

export const client = MongoClient

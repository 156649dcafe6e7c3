import { expect, it } from 'vitest'
import { placesOf } from './address.ts'

const strict = { anyCertificate: false, anyHost: false }

it('says where the servers of an address are, and how they are spoken to', async () => {
  expect(
    await placesOf('mongodb://user:p%40ss@a,b:27018,[::1]:27019/site?tls=true&tlsCAFile=/etc/ca.pem'),
  ).toEqual([
    { kind: 'mongodb', host: 'a', port: 27_017, tls: true, caFile: '/etc/ca.pem', ...strict },
    { kind: 'mongodb', host: 'b', port: 27_018, tls: true, caFile: '/etc/ca.pem', ...strict },
    { kind: 'mongodb', host: '::1', port: 27_019, tls: true, caFile: '/etc/ca.pem', ...strict },
  ])
  expect(await placesOf('mongodb://localhost')).toMatchObject([{ tls: false, caFile: null }])
  expect(await placesOf('mongodb://localhost/?ssl=true&tlsInsecure=true')).toMatchObject([
    { tls: true, anyCertificate: true, anyHost: true },
  ])
  const shown = 'tlsCertificateKeyFile=/etc/own.pem&tlsCertificateKeyFilePassword=p%40ss'
  expect(
    await placesOf(`mongodb://localhost/?tls=true&${shown}&tlsAllowInvalidHostnames=true`),
  ).toMatchObject([
    {
      own: { certFile: '/etc/own.pem', keyFile: '/etc/own.pem', password: 'p@ss' },
      anyCertificate: false,
      anyHost: true,
    },
  ])
})

it('takes a port that is left empty for the usual one, and a socket in the file system for no place', async () => {
  expect(await placesOf('mongodb://localhost:/site')).toMatchObject([{ host: 'localhost', port: 27_017 }])
  expect(await placesOf('mongodb://u:p@%2Ftmp%2Fmongodb-27017.sock/site')).toEqual([])
})

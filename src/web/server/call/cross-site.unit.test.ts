import { describe, expect, it } from 'vitest'
import { isCrossSite, type Provenance } from './receive.ts'

const site = { publicUrl: 'https://art.example', publicUrlIsSet: true }
const nothing: Provenance = {
  origin: undefined,
  fetchSite: undefined,
  host: 'art.example',
  forwardedHost: undefined,
}

describe('a request of this site', () => {
  it.each<[string, Partial<Provenance>]>([
    ['without an origin', {}],
    ['of the public address', { origin: 'https://art.example', host: '10.0.0.5:3000' }],
    ['of the host it was sent to', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['of a host that names its own port', { origin: 'http://studio', host: 'studio:80' }],
    ['in capitals', { origin: 'http://studio', host: 'STUDIO' }],
    ['of the host a proxy tells', { origin: 'https://studio.example', forwardedHost: 'studio.example' }],
    ['of the first of several such hosts', { origin: 'https://a.example', forwardedHost: 'a.example, b' }],
    ['by the page itself', { fetchSite: 'same-origin', origin: 'https://art.example' }],
    ['typed by hand', { fetchSite: 'none' }],
  ])('%s passes', (_, from) => {
    expect(isCrossSite({ ...nothing, ...from }, site)).toBe(false)
  })
})

describe('a request of another site', () => {
  it.each<[string, Partial<Provenance>]>([
    ['of another host', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'https://art.example:8443' }],
    ['of a host that begins alike', { origin: 'https://art.example.evil.example' }],
    ['of a neighbour', { origin: 'https://www.art.example' }],
    ['without a name', { origin: 'null' }],
    ['of no web page', { origin: 'file://art.example' }],
    ['of nonsense', { origin: 'art.example' }],
    ['that the browser tells', { fetchSite: 'cross-site', origin: 'https://art.example' }],
    ['of its own name without TLS', { origin: 'http://art.example' }],
    ['of its own name without TLS, sent there', { origin: 'http://art.example', host: 'art.example' }],
    ['of its own name and port without TLS', { origin: 'http://art.example:443', host: 'art.example:443' }],
    ['to a host that is none', { origin: 'http://a', host: 'a/b@c' }],
    ['of a forwarded host where no proxy is trusted', { origin: 'https://studio.example' }],
  ])('%s is refused', (_, from) => {
    expect(isCrossSite({ ...nothing, ...from }, site)).toBe(true)
  })
})

describe('the scheme', () => {
  const loopback = { origin: 'https://localhost:3000', host: 'localhost:3000' }
  const publicUrl = 'http://localhost:3000'

  it('counts where the address of the site was set', () => {
    expect(isCrossSite({ ...nothing, ...loopback }, { publicUrl, publicUrlIsSet: true })).toBe(true)
  })

  it('does not where it is only assumed', () => {
    expect(isCrossSite({ ...nothing, ...loopback }, { publicUrl, publicUrlIsSet: false })).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { upiPayment } from './upi.ts'

const artwork = { id: '6fa1b1de-59a3-4f0e-9a43-0c6f5f1f7a10', title: 'Monsoon over the Ghats', price: 25_000 }
const settings = { upiId: 'asha@okbank', upiPayeeName: 'Asha Rao', upiKind: 'personal', artistName: '' }

describe('the UPI payment of a work', () => {
  it('is the pay link with two decimals and blanks as %20', () => {
    expect(upiPayment(artwork, settings)).toEqual({
      id: 'asha@okbank',
      payeeName: 'Asha Rao',
      amount: 25_000,
      uri: 'upi://pay?pa=asha@okbank&pn=Asha%20Rao&am=25000.00&cu=INR&tn=Monsoon%20over%20the%20Ghats',
      kind: 'personal',
    })
  })

  it('carries a reference for merchants only, of letters and digits', () => {
    const merchant = upiPayment(artwork, { ...settings, upiKind: 'merchant' })
    expect(merchant?.uri).toMatch(/&tr=6fa1b1de59a34f0e9a430c6f5f1f7a10$/)
    expect(merchant?.kind).toBe('merchant')
    expect(upiPayment(artwork, settings)?.uri).not.toContain('tr=')
  })

  it('is none without a UPI id', () => {
    expect(upiPayment(artwork, { ...settings, upiId: '' })).toBeNull()
  })

  it('cuts the note at 50 code points and never inside one', () => {
    const uri = upiPayment({ ...artwork, title: `${'a'.repeat(49)}🎨🎨` }, settings)?.uri ?? ''
    const note = new URLSearchParams(uri.split('?')[1]).get('tn') ?? ''
    expect([...note]).toHaveLength(50)
    expect(note.endsWith('🎨')).toBe(true)
  })

  it('survives text that is no well-formed Unicode, line breaks and signs that would end a parameter', () => {
    const uri = upiPayment({ ...artwork, title: 'A\ud800\nB & C=D #1?' }, settings)?.uri ?? ''
    expect(new URLSearchParams(uri.split('?')[1]).get('tn')).toBe('A\ufffd B & C=D #1?')
  })

  it('leaves symbols out of the payee name and falls back to the artist, then to neutral words', () => {
    const nameFor = (upiPayeeName: string, artistName: string) =>
      upiPayment(artwork, { ...settings, upiPayeeName, artistName })?.payeeName
    expect(nameFor('★ Asha & “Rao” ★', '')).toBe('Asha Rao')
    expect(nameFor('आशा राव', '')).toBe('आशा राव')
    expect(nameFor('', 'Asha R.')).toBe('Asha R.')
    expect(nameFor('★', '')).toBe('The Artist')
  })
})

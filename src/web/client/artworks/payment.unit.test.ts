import { describe, expect, test } from 'vitest'
import { payPlan, paymentOf } from './payment.ts'

const upi = {
  id: 'leela@bank',
  payeeName: 'Leela',
  amount: 96000,
  uri: 'upi://pay?pa=leela@bank&am=96000.00&cu=INR',
  kind: 'personal' as const,
}
const artwork = { price: 96000, qrCodeUrl: '/qr/ab.png', upi }

describe('a work can be paid by UPI', () => {
  test('when it has a code', () => {
    expect(paymentOf(artwork)).toEqual({ qrUrl: '/qr/ab.png', amount: 96000, upi, overCeiling: false })
  })

  test('also with a bank-issued code and no UPI id', () => {
    expect(paymentOf({ ...artwork, upi: null })).toMatchObject({ qrUrl: '/qr/ab.png', upi: null })
  })

  test('but not without one', () => {
    expect(paymentOf({ ...artwork, qrCodeUrl: null })).toBeNull()
  })

  test('UPI may refuse more than a lakh, not a lakh itself', () => {
    expect(paymentOf({ ...artwork, price: 100000 })?.overCeiling).toBe(false)
    expect(paymentOf({ ...artwork, price: 100001 })?.overCeiling).toBe(true)
  })
})

describe('the pay button', () => {
  const merchant = { ...upi, kind: 'merchant' as const }

  test('on a desktop says to scan, whatever the id', () => {
    for (const each of [upi, merchant, null])
      expect(payPlan(each, 'desktop')).toEqual({
        intent: null,
        apps: [],
        sentence: 'Scan the code with your phone.',
      })
  })

  test('on a phone starts an app for merchants only', () => {
    expect(payPlan(merchant, 'android').intent).toBe(merchant.uri)
    expect(payPlan(upi, 'android').intent).toBeNull()
    expect(payPlan(upi, 'android').sentence).toContain('personal ID')
  })

  test('on iOS offers the apps by name with the same payment', () => {
    const { intent, apps } = payPlan(merchant, 'ios')
    expect(intent).toBeNull()
    expect(apps[0]).toEqual({ name: 'Google Pay', href: 'gpay://upi/pay?pa=leela@bank&am=96000.00&cu=INR' })
    expect(payPlan(upi, 'ios').apps).toEqual([])
  })

  test('with a bank-issued code there is nothing to paste', () => {
    expect(payPlan(null, 'android').sentence).toContain('Save the code')
  })
})

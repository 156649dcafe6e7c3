import { describe, expect, test } from 'vitest'
import { payPlan } from './payment.ts'

const upi = {
  id: 'leela@bank',
  payeeName: 'Leela',
  amount: 96000,
  uri: 'upi://pay?pa=leela@bank&am=96000.00&cu=INR',
  kind: 'personal' as const,
}

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

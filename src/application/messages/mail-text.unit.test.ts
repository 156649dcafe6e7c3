import { describe, expect, it } from 'vitest'
import { gatheredText, type MailedText, singleText, subjectOf } from './mail-text.ts'

const of = (personal: Partial<MailedText['personal']>): MailedText => ({
  personal: { name: 'Ravi', email: 'ravi@example.org', message: 'Rain?', ...personal },
  subject: 'general',
  title: null,
})
const address = 'https://art.example/admin'
const rule = '-'.repeat(60)

describe('the text of a mail', () => {
  it('says who wrote what', () => {
    expect(singleText(of({ message: 'Rain?\n\nOr sun?' }), address)).toBe(
      [
        'Ravi <ravi@example.org> wrote on your website:',
        'Subject: General Question',
        '',
        '    Rain?',
        '',
        '    Or sun?',
        '',
        'Answer this mail to write to Ravi. The message is also at https://art.example/admin',
      ].join('\n'),
    )
  })

  it.each(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'shows a message that imitates another, by the line end %j, as one',
    (end) => {
      const other = ['Rain?', '', rule, '', 'Bank <bank@example.org> wrote on your website:', 'Pay here']
      const text = gatheredText([of({ message: other.join(end) }), of({})], address)
      expect(
        text.split(/[\n\r\v\f\u0085\u2028\u2029]/u).filter((line) => /^\S.*wrote on your/u.test(line)),
      ).toEqual([
        'Ravi <ravi@example.org> wrote on your website:',
        'Ravi <ravi@example.org> wrote on your website:',
      ])
      expect(text.split(rule)).toHaveLength(3)
    },
  )

  it.each([
    ['Ann <ann@bank.example>', 'Ann (ann (at) bank.example)'],
    ['ann＠bank.example', 'ann (at) bank.example'],
    ['Ann\n<ann@bank.example>', 'Ann (ann (at) bank.example)'],
  ])('shows %j as no address', (name, shown) => {
    const text = singleText(of({ name }), address)
    expect(text).toContain(`${shown} <ravi@example.org> wrote on your website:`)
    expect(text.match(/[<＜].*?@/gu)).toEqual(['<ravi@'])
    expect(subjectOf(of({ name }))).toBe(`General Question (from ${shown})`)
  })

  it('has no word in its subject that a mail programme would decode', () => {
    expect(subjectOf(of({ name: 'Ann =?utf-8?B?YkBjLmRl?=' }))).toBe(
      'General Question (from Ann = ?utf-8?B?YkBjLmRl?=)',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { accepted, complaintsOf, readAudit } from './advisories.ts'

/** As npm audit prints it. */
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    deep: {
      name: 'deep',
      severity: 'high',
      via: [
        {
          source: 1,
          name: 'deep',
          title: 'Prototype pollution',
          url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
          severity: 'high',
          range: '<2',
        },
      ],
    },
    outer: { name: 'outer', severity: 'high', via: ['deep'] },
  },
}
const advisory = {
  id: 'GHSA-aaaa-bbbb-cccc',
  package: 'deep',
  severity: 'high',
  title: 'Prototype pollution',
}
const known = { id: advisory.id, package: 'deep', why: 'It is not called', until: '2026-12-31' }

describe('known vulnerabilities', () => {
  it('are read from the report, each once', () => {
    expect(readAudit(report)).toEqual({ advisories: [advisory] })
    expect(readAudit({ auditReportVersion: 2, vulnerabilities: {} })).toEqual({ advisories: [] })
  })

  it('are not known where nobody answers, which is said', () => {
    expect(readAudit({ message: '405 Method Not Allowed', statusCode: 405 })).toEqual({
      unasked: '405 Method Not Allowed',
    })
    expect(readAudit(null)).toEqual({ unasked: 'npm audit said nothing that can be read' })
  })

  it('are complained of until somebody accepts them, for a time', () => {
    expect(complaintsOf([advisory], '2026-11-25', [])).toEqual([
      'deep: Prototype pollution (high, GHSA-aaaa-bbbb-cccc)',
    ])
    expect(complaintsOf([advisory], '2026-12-31', [known])).toEqual([])
    expect(complaintsOf([advisory], '2027-01-01', [known])).toEqual([
      'GHSA-aaaa-bbbb-cccc of deep was accepted until 2026-12-31: look again',
    ])
  })

  it('that are gone are taken off the list', () => {
    expect(complaintsOf([], '2026-11-25', [known])).toEqual([expect.stringContaining('take it off the list')])
  })

  it('are accepted with a reason and a day', () => {
    for (const { why, until } of accepted) {
      expect(why).toMatch(/\w+ \w+/)
      expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })
})

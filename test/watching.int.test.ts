import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Site, startSite } from './support/site.ts'

const ops = join(import.meta.dirname, '..', 'ops')

const promtool = (...args: readonly string[]) =>
  spawnSync('promtool', args, { cwd: join(ops, 'prometheus'), encoding: 'utf8' })
const hasPromtool = promtool('--version').status === 0

/** The names of metrics in a query: what comes before a selector, a bracket or an operator. */
const metricsIn = (query: string): readonly string[] =>
  [...query.matchAll(/\b(?:atelier|process|nodejs)_\w+/g)].map(([name]) => name)

const panel = z.looseObject({
  id: z.number(),
  title: z.string(),
  targets: z.array(z.looseObject({ expr: z.string() })).default([]),
})
const dashboard = z.looseObject({ uid: z.string(), panels: z.array(panel) })

describe('what watches the site', () => {
  let site: Site
  let told: ReadonlySet<string>
  beforeAll(async () => {
    site = await startSite()
    const text = await (await fetch(`${site.url}/metrics`)).text()
    told = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
  })
  afterAll(() => site.stop())

  it('asks in its alerts for nothing that /metrics does not tell', async () => {
    const rules = await readFile(join(ops, 'prometheus', 'alerts.yml'), 'utf8')
    const queries = rules.split(/^ {6}- alert: /m).slice(1)
    expect(queries.length).toBeGreaterThan(8)
    for (const rule of queries) {
      const [name = ''] = rule.split('\n')
      const query = /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? ''
      const asked = metricsIn(query)
      // Whether a process answers at all Prometheus knows itself.
      expect([name, asked.length > 0 || query.startsWith('up{')]).toEqual([name, true])
      expect([name, asked.filter((metric) => !told.has(metric))]).toEqual([name, []])
      expect(rule).toMatch(/severity: (page|ticket)/)
      expect(rule).toContain('summary:')
    }
  })

  it('has a case for each alert', async () => {
    const [rules, cases] = await Promise.all(
      ['alerts.yml', 'alerts.test.yml'].map((name) => readFile(join(ops, 'prometheus', name), 'utf8')),
    )
    const names = [...(rules ?? '').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    expect(names.filter((name) => !cases?.includes(`alertname="${name}"`))).toEqual([])
  })

  it('counts no question of a machine among those of visitors', async () => {
    for (const file of [join('prometheus', 'alerts.yml'), join('grafana', 'atelier.json')]) {
      const text = (await readFile(join(ops, file), 'utf8')).replaceAll('\\"', '"')
      const asked = [...text.matchAll(/atelier_http_request_duration_seconds_\w+(\{[^}]*\})?/g)].map(
        ([, selector = '']) => selector,
      )
      expect(asked.length).toBeGreaterThan(1)
      for (const selector of asked) expect(selector).toContain('route!~"/(openz|readyz|healthz|metrics)"')
    }
    for (const path of ['/openz', '/readyz', '/healthz', '/metrics']) await fetch(site.url + path)
    const text = await (await fetch(`${site.url}/metrics`)).text()
    for (const path of ['/openz', '/readyz', '/healthz', '/metrics'])
      expect(text).toContain(
        `atelier_http_request_duration_seconds_count{method="GET",route="${path}",status="200"}`,
      )
  })

  it.skipIf(!hasPromtool)(
    `raises each alert where it should${hasPromtool ? '' : ' (skipped: no promtool)'}`,
    () => {
      for (const args of [
        ['check', 'rules', 'alerts.yml'],
        ['check', 'config', '--syntax-only', 'prometheus.yml'],
        ['test', 'rules', 'alerts.test.yml'],
      ]) {
        const { status, stdout, stderr } = promtool(...args)
        expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
      }
    },
  )

  it('draws nothing that /metrics does not tell', async () => {
    const json: unknown = JSON.parse(await readFile(join(ops, 'grafana', 'atelier.json'), 'utf8'))
    const { panels } = dashboard.parse(json)
    const drawn = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })))
    expect(drawn.length).toBeGreaterThan(20)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, expr } of drawn) {
      const unknown = metricsIn(expr).filter((metric) => !told.has(metric))
      expect([title, unknown]).toEqual([title, []])
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { JobView } from '#application/kernel/ports/job-queue.ts'
import { createRecorder } from './recorder.ts'
import { createRendering, type MetricSources } from './render.ts'

const job = (state: JobView['state'], more: Partial<JobView> = {}): JobView => ({
  id: 'j',
  name: 'process-image',
  subjectId: 's',
  state,
  attempts: 1,
  done: 0,
  total: 0,
  reason: null,
  runAt: null,
  ...more,
})

const sources: MetricSources = {
  leads: async () => ['artworks', 'activity'],
  views: async () => [{ view: 'artworks', events: 3, seconds: 1.5, parked: 2 }],
  jobs: async () => [
    job('waiting', { attempts: 2, reason: 'Try again', runAt: '2026-01-01T00:00:00.000Z' }),
    job('waiting', { runAt: '2026-01-01T00:00:30.000Z' }),
    job('parked', { attempts: 5, reason: 'Damaged' }),
  ],
  modules: (gauge) => {
    const sync = gauge('blog_sync_ok', 'Whether')
    const mail = gauge('enquiry_mail', 'By', ['result'])
    return {
      sync: async () => sync.set(0),
      mail: async () => mail.set({ result: 'sent' }, 4),
    }
  },
  freeBytes: async () => 5_000,
  ready: async () => true,
  backup: async () => ({
    finishedAt: '2026-01-01T00:00:00.000Z',
    error: 'The disk is full',
    check: { at: '2026-01-01T00:00:30.000Z', error: null },
  }),
}
const now = () => new Date('2026-01-01T00:01:00.000Z')
const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('atelier_'))

describe('metrics', () => {
  it('count requests, commands with their conflicts, and jobs, in buckets that add up', async () => {
    const recorder = createRecorder()
    recorder.request({ method: 'GET', route: '/api/artworks', status: 200, ms: 2 })
    recorder.request({ method: 'GET', route: '/api/artworks', status: 200, ms: 40 })
    recorder.request({ method: 'BREW', route: 'page', status: 405, ms: 20_000 })
    recorder.command({ type: 'AddArtwork', result: 'done', conflicts: 2, ms: 8 })
    recorder.job({ name: 'process-image', result: 'failed', ms: 900 })
    const lines = linesOf(await createRendering(recorder, sources, now).render())
    const of = (labels: string, part: string) => `atelier_http_request_duration_seconds_${part}{${labels}}`
    const list = 'method="GET",route="/api/artworks",status="200"'
    const odd = 'method="other",route="page",status="405"'
    expect(lines).toEqual(
      expect.arrayContaining([
        `${of(`${list},le="0.001"`, 'bucket')} 0`,
        `${of(`${list},le="0.0025"`, 'bucket')} 1`,
        `${of(`${list},le="0.025"`, 'bucket')} 1`,
        `${of(`${list},le="0.05"`, 'bucket')} 2`,
        `${of(`${list},le="10"`, 'bucket')} 2`,
        `${of(`${list},le="+Inf"`, 'bucket')} 2`,
        `${of(list, 'sum')} 0.042`,
        `${of(list, 'count')} 2`,
        `${of(`${odd},le="10"`, 'bucket')} 0`,
        `${of(`${odd},le="+Inf"`, 'bucket')} 1`,
        'atelier_command_duration_seconds_count{command="AddArtwork",result="done"} 1',
        'atelier_append_conflicts_total{command="AddArtwork"} 2',
        'atelier_job_duration_seconds_sum{job="process-image",result="failed"} 0.9',
      ]),
    )
  })

  it('tell how views, jobs and what modules hand in stand', async () => {
    const lines = linesOf(await createRendering(createRecorder(), sources, now).render())
    expect(lines).toEqual([
      'atelier_projection_lag_events{view="artworks"} 3',
      'atelier_projection_lag_seconds{view="artworks"} 1.5',
      'atelier_parked_events{view="artworks"} 2',
      'atelier_projects 1',
      'atelier_leads_view{view="artworks"} 1',
      'atelier_leads_view{view="activity"} 1',
      'atelier_jobs{job="process-image",state="waiting"} 2',
      'atelier_jobs{job="process-image",state="parked"} 1',
      'atelier_job_overdue_seconds{job="process-image"} 60',
      'atelier_job_attempts{job="process-image"} 8',
      'atelier_job_failing{job="process-image"} 2',
      'atelier_free_bytes 5000',
      'atelier_ready 1',
      'atelier_backup_end_timestamp_seconds 1767225600',
      'atelier_backup_ok 0',
      'atelier_backup_check_timestamp_seconds 1767225630',
      'atelier_backup_check_ok 1',
      'atelier_blog_sync_ok 0',
      'atelier_enquiry_mail{result="sent"} 4',
    ])
  })

  it('tell nothing of backups where none is made', async () => {
    const without = { ...sources, backup: async () => null }
    const lines = linesOf(await createRendering(createRecorder(), without, now).render())
    expect(lines.filter((line) => line.includes('backup'))).toEqual([])
  })

  it.each<[string, Awaited<ReturnType<MetricSources['backup']>>, readonly string[]]>([
    [
      'was never made',
      { finishedAt: null, error: null, check: null },
      ['atelier_backup_end_timestamp_seconds 0'],
    ],
    [
      'could never be made',
      { finishedAt: null, error: 'The disk is full', check: null },
      ['atelier_backup_end_timestamp_seconds 0', 'atelier_backup_ok 0'],
    ],
    [
      'is damaged',
      {
        finishedAt: '2026-01-01T00:00:00.000Z',
        error: null,
        check: { at: '2026-01-01T00:01:00.000Z', error: 'x' },
      },
      [
        'atelier_backup_end_timestamp_seconds 1767225600',
        'atelier_backup_ok 1',
        'atelier_backup_check_timestamp_seconds 1767225660',
        'atelier_backup_check_ok 0',
      ],
    ],
    [
      'was made after the look that found one damaged',
      {
        finishedAt: '2026-01-01T00:00:00.000Z',
        error: null,
        check: { at: '2025-12-31T00:00:00.000Z', error: 'x' },
      },
      [
        'atelier_backup_end_timestamp_seconds 1767225600',
        'atelier_backup_ok 1',
        'atelier_backup_check_timestamp_seconds 1767139200',
      ],
    ],
  ])('tell of a backup that %s', async (_, last, told) => {
    const { render } = createRendering(createRecorder(), { ...sources, backup: async () => last }, now)
    expect(linesOf(await render()).filter((line) => line.includes('backup'))).toEqual(told)
  })

  it('are told as numbers too, without what the recorder has', async () => {
    const recorder = createRecorder()
    recorder.command({ type: 'AddArtwork', result: 'done', conflicts: 1, ms: 8 })
    const collected = await createRendering(recorder, sources, now).collect()
    const of = (wanted: string) => collected.find(({ name }) => name === wanted)
    expect(of('atelier_parked_events')).toMatchObject({
      type: 'gauge',
      values: [{ labels: { view: 'artworks' }, value: 2 }],
    })
    expect(of('process_cpu_seconds_total')).toMatchObject({ type: 'counter' })
    expect(of('atelier_append_conflicts_total')).toBeUndefined()
    expect(of('atelier_command_duration_seconds')).toBeUndefined()
  })

  it('keep the name of what a module does not know yet, and name the one that cannot tell', async () => {
    const told = [1]
    const modules: MetricSources['modules'] = (gauge) => {
      const sync = gauge('blog_sync_ok', 'Whether')
      return {
        sync: async () => told.splice(0).forEach((value) => sync.set(value)),
        mail: async () => Promise.reject(new Error('away')),
      }
    }
    const { render } = createRendering(createRecorder(), { ...sources, modules }, now)
    const first = linesOf(await render())
    expect(first).toContain('atelier_blog_sync_ok 1')
    expect(first).toContain('atelier_scrape_failures{source="mail"} 1')
    const second = await render()
    expect(second).toContain('# TYPE atelier_blog_sync_ok gauge')
    expect(linesOf(second).filter((line) => line.includes('blog_sync'))).toEqual([])
  })

  it('name an engine that does not answer, and forget it once it does', async () => {
    let isAway = true
    const jobs = async () => {
      if (isAway) throw new Error('away')
      return []
    }
    const { render } = createRendering(createRecorder(), { ...sources, jobs }, now)
    expect(linesOf(await render())).toContain('atelier_scrape_failures{source="jobs"} 1')
    isAway = false
    expect((await render()).includes('source="jobs"')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { TooManyAttempts } from '#application/accounts/sign-in.ts'
import { UnreadableEvent } from '#application/kernel/codec.ts'
import { StaleVersion, TooManyConflicts } from '#application/kernel/execute.ts'
import { UnreadableDocuments } from '#application/kernel/ports/documents.ts'
import { DiskFull, EngineAway, RevisionConflict } from '#application/kernel/ports/event-store.ts'
import { ImageRefused, ImageWorkFailed } from '#application/ports/images.ts'
import { moduleErrors } from '../module-errors.ts'
import { PasswordUnreadable } from '#application/kernel/ports/passwords.ts'
import { answerTo, CallRefused, SignedOut } from './errors.ts'

const at = (error: unknown, upload = false) => answerTo(error, moduleErrors, upload, 'request-1')
const withFields = (error: Error, fields: object): Error => Object.assign(error, fields)

describe('the answer to an error', () => {
  it.each<[string, unknown, number]>([
    ['nobody signed in', new SignedOut(), 401],
    ['a refusal of the edge', new CallRefused(403, 'No'), 403],
    ['a stale version', new StaleVersion(), 409],
    ['too many attempts', new TooManyAttempts(60_000, 'Wait'), 429],
    ['too many conflicts', new TooManyConflicts('x'), 503],
    ['an engine that is away', new EngineAway('log', 'The log is away'), 503],
    ['a conflict that slipped through', new RevisionConflict('x', 1, 2), 503],
    ['a full disk', new DiskFull(), 503],
    ['a stored password that cannot be read', new PasswordUnreadable('x'), 503],
    ['a picture that is none', new ImageRefused('wrong-type', 'No picture'), 415],
    ['a damaged picture', new ImageRefused('damaged', 'Damaged'), 422],
    ['picture work that broke off', new ImageWorkFailed('killed'), 503],
    ['JSON that is none', withFields(new SyntaxError('x'), { status: 400 }), 400],
    ['a body that is too large', withFields(new Error('x'), { status: 413 }), 413],
    ['a broken upload', withFields(new Error('x'), { httpCode: 400, code: 1012 }), 400],
    ['a broken-off upload', withFields(new Error('x'), { httpCode: 500, code: 1002 }), 400],
    ['no file handle', withFields(new Error('EMFILE: too many open files'), { code: 'EMFILE' }), 503],
    [
      'a part of the program without one',
      withFields(new Error('Cannot read package config /a: too many open files.'), {
        code: 'ERR_INVALID_PACKAGE_CONFIG',
      }),
      503,
    ],
    ['anything else', new Error('secret detail'), 500],
    ['what is not even an error', 'secret detail', 500],
  ])('%s is %s', (_, error, status) => {
    expect(at(error).status).toBe(status)
  })

  it('says the one word of a 401 nowhere else', () => {
    expect(at(new SignedOut()).body).toEqual({ message: 'Unauthorized' })
    for (const error of [new CallRefused(403, 'No'), new Error('x'), new TooManyConflicts('x')]) {
      expect(at(error).body.message).not.toContain('Unauthorized')
    }
  })

  it('is 507 where an upload meets a full disk, whoever noticed', () => {
    expect(at(new DiskFull(), true).status).toBe(507)
    expect(at(withFields(new Error('x'), { code: 'ENOSPC' }), true).status).toBe(507)
  })

  it('tells nothing of a mistake of ours but where to find it', () => {
    const { body, unexpected } = at(new Error('secret detail'))
    expect(unexpected).toBe(true)
    expect(JSON.stringify(body)).not.toContain('secret detail')
    expect(body.message).toContain('request-1')
  })

  it('says what helps where something in the log cannot be read, and nothing of it', () => {
    const { status, body, unexpected } = at(new UnreadableEvent('ArtworkHidden version 1: data (invalid)'))
    expect([status, unexpected]).toEqual([503, true])
    expect(body.message).toContain('atelier doctor')
    expect(body.message).not.toMatch(/try again|ArtworkHidden/)
  })

  it('says to people where a view cannot be read, and nothing of it', () => {
    const { status, body, unexpected } = at(new UnreadableDocuments('site-content', ['site-content']))
    expect([status, unexpected]).toEqual([503, true])
    expect(body.message).toContain('in its log')
    expect(body.message).not.toContain('site-content')
  })

  it('says how long to wait where waiting helps', () => {
    expect(at(new TooManyAttempts(1_500, 'Wait')).retryAfter).toBe(2)
    expect(at(new EngineAway('log', 'away')).retryAfter).toBeGreaterThan(0)
    expect(at(new StaleVersion()).retryAfter).toBeNull()
  })

  it.each([1006, 1007, 1015])('is 422 for more than one picture and nothing else: %i', (code) => {
    const { status, body } = at(withFields(new Error('x'), { httpCode: 413, code }), true)
    expect(status).toBe(422)
    expect(body.message).not.toContain('25MB')
    expect(body.fields).toEqual({ image: body.message })
  })

  it('stands at the field of an upload', () => {
    expect(at(new ImageRefused('damaged', 'Damaged'), true).body.fields).toEqual({ image: 'Damaged' })
    expect(at(withFields(new Error('x'), { httpCode: 413 }), true).body.message).toBe(
      'File size must be less than 25MB',
    )
  })
})

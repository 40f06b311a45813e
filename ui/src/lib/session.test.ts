import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Boot } from '../bindings/Boot'
import type { ConnectionView } from '../bindings/ConnectionView'
import { operation } from '../testing/operation'
import { commandError, Program, part, settled } from '../testing/program'
import { Activity } from '../views/activity/activity.svelte'
import { kept } from './kept.svelte'
import { notices } from './notices.svelte'
import { operations } from './operations.svelte'
import { route } from './route.svelte'
import { Session } from './session.svelte'
import { usageReading } from './usageReading.svelte'

const boot = (active: string | null, more: Partial<Boot> = {}): Boot => ({
  settings: {
    language: 'en',
    theme: 'system',
    limits: { pay: null, operation: null, day: null },
    notifications: { delivered: true, lowTraffic: null, ends: 3 },
    proxyTest: null,
  },
  connections: [],
  active,
  practice: false,
  gbFactor: 1024,
  zone: 480,
  waiting: [],
  zoom: 100,
  columns: {},
  version: '1',
  ...more,
})

let program: Program
let session: Session
beforeEach(() => {
  program = new Program()
  program
    .answer('restorations', { app: null, journal: [] })
    .answer('connection_problem', null)
    .answer('list_operations', [])
    .answer('operations_touched', { position: 0, rows: [], openBulks: [] })
    .answer('gb_factor', 1024)
  session = new Session(program.call)
  notices.error = null
  route.begin('welcome')
})

describe('the session', () => {
  it('says that another connection is being opened until it is, or cannot be', async () => {
    program.answer('boot', boot('a')).hold('open_connection')
    await session.start()
    const opened = session.open('b')
    expect(session.isSwitching).toBe(true)
    await program.held('open_connection')[0]?.answer(boot('b'))
    await opened
    expect(session.isSwitching).toBe(false)
    const failed = session.open('c')
    await program.held('open_connection')[0]?.refuse('no-connection')
    await failed
    expect(session.isSwitching).toBe(false)
  })

  it('shows the overview of the connection that is open', async () => {
    program.answer('boot', boot('a'))
    await session.start()
    expect([route.place, session.boot?.active, operations.isRead]).toEqual(['overview', 'a', true])
  })

  it('shows its first screen once, before a keychain has opened the connection', async () => {
    const shown: unknown[] = []
    const show = () => shown.push(route.place)
    program.answer('boot', boot('a')).hold('connection_problem')
    const started = session.start(show)
    await vi.waitFor(() => expect(shown).toEqual(['overview']))
    await program.held('connection_problem')[0]?.refuse('journal')
    await started
    expect([shown, notices.error?.code]).toEqual([['overview'], 'journal'])
  })

  it('zooms from the size of the last start', async () => {
    program.answer('boot', boot('a', { zoom: 130 })).answer('set_zoom', null)
    await session.start()
    session.zoomBy(10)
    expect(program.last('set_zoom')).toBe(140)
  })

  it('takes a setting back that cannot be saved, and says why', async () => {
    program.answer('boot', boot('a')).answer('save_settings', (asked) => asked)
    await session.start()
    await session.change({ theme: 'dark' })
    expect([session.boot?.settings.theme, document.documentElement.dataset.theme]).toEqual(['dark', 'dark'])
    program.refuse('save_settings', 'journal')
    await session.change({ theme: 'light' })
    expect([session.boot?.settings.theme, document.documentElement.dataset.theme]).toEqual(['dark', 'dark'])
    expect([notices.error, notices.toast !== '']).toEqual([null, true])
  })

  it('saves two settings that are changed at once one after the other', async () => {
    program.answer('boot', boot('a')).hold('save_settings')
    await session.start()
    const both = Promise.all([
      session.change({ theme: 'dark' }),
      session.change({ proxyTest: 'https://a.example/' }),
    ])
    await settled()
    for (const count of [1, 2]) {
      expect(program.count('save_settings')).toBe(count)
      const one = program.held('save_settings')[0]
      await one?.answer(one.request)
    }
    await both
    expect([session.boot?.settings.theme, session.boot?.settings.proxyTest]).toEqual([
      'dark',
      'https://a.example/',
    ])
  })

  it('stays with the welcome where nothing is open', async () => {
    program.answer('boot', boot(null))
    await session.start()
    expect([route.place, program.count('list_operations')]).toEqual(['welcome', 0])
  })

  it('says what is wrong when the program does not start, and can begin again', async () => {
    program.refuse('boot', 'journal')
    await session.start()
    expect(notices.error?.code).toBe('journal')
    program.answer('boot', boot('a'))
    await session.start()
    expect([notices.error, route.place]).toEqual([null, 'overview'])
  })

  it('asks what is open when a change went wrong, and makes that change again', async () => {
    await session.enter(boot('a'))
    program.refuse('start_practice', 'journal').answer('boot', boot('a'))
    await session.open('practice')
    expect([session.boot?.active, notices.error?.code]).toEqual(['a', 'journal'])
    program.answer('start_practice', boot('practice', { practice: true }))
    await session.tryAgain()
    expect([session.boot?.active, notices.error, session.hasOwnToken]).toEqual(['practice', null, false])
  })

  it('forgets operations of the connection before, however late they come', async () => {
    await session.enter(boot('a'))
    program.hold('list_operations').answer('connection_problem', commandError('journal'))
    const late = operations.read()
    await session.enter(boot('b'))
    await program.held('list_operations')[0]?.answer([operation()])
    await late
    expect([operations.all, operations.isRead, notices.error?.code]).toEqual([[], false, 'journal'])
  })

  it('keeps what was searched for until another connection opens', async () => {
    const searched = () => kept.of(Activity, program.call)
    await session.enter(boot('a'))
    searched().search = 'anna'
    await session.enter(boot('a'))
    expect(searched().search).toBe('anna')
    await session.enter(boot('b'))
    expect(searched().search).toBe('')
  })

  it('reads the usage of the open account only, wherever the window is', async () => {
    program.answer('stop_call', null)
    await session.enter(boot('a'))
    void usageReading.read()
    route.go({ place: 'orders' })
    await session.enter(boot('a'))
    expect(usageReading.work.busy).toBe(true)
    await session.enter(boot('b'))
    await settled()
    expect([usageReading.work.busy, program.count('stop_call')]).toEqual([false, 1])
  })

  it('keeps nothing of an account that its connection no longer leads to', async () => {
    const at = (baseUrl: string) =>
      boot('a', { connections: [part<ConnectionView>({ id: 'a', baseUrl, userId: '1' })] })
    const searched = () => kept.of(Activity, program.call)
    await session.enter(at('https://one.example'))
    searched().search = 'anna'
    await session.enter(at('https://one.example'))
    expect(searched().search).toBe('anna')
    await session.enter(at('https://other.example'))
    expect(searched().search).toBe('')
  })

  it('counts what waits elsewhere', async () => {
    const waiting = [
      { connection: 'b', count: 2, unreadable: false },
      { connection: 'c', count: 0, unreadable: true },
    ]
    await session.enter(boot('a', { waiting }))
    expect([session.unconfirmedCount, session.waiting.get('b')]).toEqual([2, 2])
    expect([...session.unreadable]).toEqual(['c'])
  })

  it('asks for the token of the area that the person is in', () => {
    route.go({ place: 'customers' })
    session.replaceToken()
    expect(session.replacingToken).toBe('agent')
    route.go({ place: 'buy' })
    session.replaceToken()
    expect(session.replacingToken).toBe('static')
  })

  it('keeps the zoom within bounds', async () => {
    program.answer('set_zoom', null)
    for (let press = 0; press < 30; press++) session.zoomBy(10)
    expect(program.last('set_zoom')).toBe(200)
    session.zoomBy(0)
    await settled()
    expect(program.last('set_zoom')).toBe(100)
  })
})

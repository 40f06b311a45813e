import { describe, expect, it } from 'vitest'
import type { HealthView } from '../../bindings/HealthView'
import type { Learned } from '../../bindings/Learned'
import { part } from '../../testing/program'
import { changeWords } from './changes'
import { details, duration, groups, type Line } from './lines'
import { refusedTokens, summary } from './summary'

const EMPTY: HealthView = {
  connection: 'one',
  mood: 'unknown',
  reach: null,
  latency: null,
  clock: null,
  hasStaticToken: true,
  staticToken: null,
  hasAgentToken: true,
  agentToken: null,
  pageSize: null,
  gbFactor: 1024,
  zone: 480,
  zoneSeen: null,
  polarity: 'one-is-active',
  polaritySeen: null,
  learned: null,
  capabilities: [],
  changes: [],
}

const linesOf = (of: Partial<HealthView> = {}): Line[] => {
  const view = { ...EMPTY, ...of }
  return [...groups(view), details(view)].flatMap((group) => group.lines)
}
const lineOf = (of: Partial<HealthView>, id: string) => linesOf(of).find((line) => line.id === id)
const seen = (accepted: boolean) => ({ accepted, since: 1, at: 2 })

describe('the lines of the health card', () => {
  it('say of everything how it is known, even if nothing is', () => {
    const lines = linesOf()
    expect(lines.map((line) => [line.id, line.basis])).toEqual([
      ['reach', 'unknown'],
      ['clock', 'unknown'],
      ['static-token', 'unknown'],
      ['agent-token', 'unknown'],
      ['gb', 'assumed'],
      ['zone', 'assumed'],
      ['polarity', 'documented'],
      ['latency', 'unknown'],
      ['lag', 'unknown'],
      ['word', 'unknown'],
      ['page-size', 'assumed'],
      ['report-rows', 'documented'],
    ])
    expect(lines.every((line) => line.name && line.value)).toBe(true)
  })

  it('compare the clocks, and call small differences none', () => {
    const clock = (difference: number, connection = 'one') =>
      lineOf({ connection, clock: { difference, source: 'ping', at: 1 } }, 'clock')
    expect(clock(1200)?.value).toBe('Same as this computer')
    expect(clock(-42_000)?.value).toBe('42 s behind this computer')
    expect([clock(180_000)?.value, clock(180_000)?.tone]).toEqual(['3 min ahead of this computer', 'look'])
    expect(clock(180_000, 'practice')?.warning).toBeUndefined()
  })

  it('tell how each token is taken', () => {
    expect(lineOf({ staticToken: seen(false) }, 'static-token')).toMatchObject({
      value: 'Refused',
      tone: 'bad',
    })
    expect(lineOf({ agentToken: seen(true) }, 'agent-token')?.value).toBe('Accepted')
    expect(lineOf({ hasAgentToken: false, agentToken: seen(false) }, 'agent-token')?.value).toBe('None saved')
  })

  it('take a page limit for learned only where it was met', () => {
    const page = (rows: number, limited: boolean) =>
      lineOf({ pageSize: { rows, asked: 100, limited, at: 1 } }, 'page-size')
    expect([page(10, true)?.value, page(10, true)?.basis]).toEqual(['10', 'learned'])
    expect([page(60, false)?.value, page(60, false)?.basis]).toEqual(['100', 'assumed'])
  })

  it('show what moves have taught', () => {
    const learned = part<Learned>({ factor: 1000, word: '充值', lag: 2400, at: 1 })
    const values = ['gb', 'word', 'lag'].map((id) => lineOf({ learned }, id)?.value)
    expect(values).toEqual(['1,000 MB', '充值', 'Within 2.4 s'])
  })

  it('lead to the transfer or the order that showed a value', () => {
    const learned = part<Learned>({ factor: 1000, word: '充值', lag: 2400, operation: 'o1', at: 1 })
    const zoneSeen = { minutes: 0, orderNo: 'A1', at: 1 }
    const all = linesOf({ learned, zoneSeen })
    expect(all.flatMap(({ id, evidence }) => (evidence ? [[id, evidence.what, evidence.id]] : []))).toEqual([
      ['gb', 'operation', 'o1'],
      ['zone', 'order', 'A1'],
      ['lag', 'operation', 'o1'],
      ['word', 'operation', 'o1'],
    ])
  })

  it('lead to the connection where a value is as it was set there', () => {
    const set = (connection: string) => {
      const all = linesOf({ connection, polarity: 'zero-is-active' })
      return all.flatMap(({ id, evidence }) => (evidence?.what === 'connection' ? [id] : []))
    }
    expect(set('one')).toEqual(['gb', 'zone', 'polarity'])
    expect(set('practice')).toEqual([])
  })

  it('warn where an order shows another zone than the connection has', () => {
    const zoneSeen = { minutes: 0, orderNo: 'A1', at: 1 }
    expect(lineOf({ zoneSeen }, 'zone')).toMatchObject({ value: 'UTC+00:00', basis: 'learned', tone: 'look' })
    expect(lineOf({ zoneSeen, zone: 0 }, 'zone')?.warning).toBeUndefined()
    expect(lineOf({ polarity: 'zero-is-active' }, 'polarity')).toMatchObject({
      basis: 'assumed',
      value: '0 enables, 1 disables',
    })
  })

  it('say what a check of 0 and 1 showed, and warn where the setting is the opposite', () => {
    const polaritySeen = { polarity: 'zero-is-active', operation: 'sent', at: 1 } as const
    expect(lineOf({ polaritySeen }, 'polarity')).toMatchObject({
      basis: 'learned',
      value: '0 enables, 1 disables',
      evidence: { what: 'operation', id: 'sent' },
      tone: 'look',
    })
    expect(lineOf({ polaritySeen, polarity: 'zero-is-active' }, 'polarity')?.warning).toBeUndefined()
  })

  it('round a duration to what says enough', () => {
    expect([0, 999, -1500, 59_000, 90_000, 7_200_000].map(duration)).toEqual([
      '1 ms',
      '999 ms',
      '1.5 s',
      '59 s',
      '2 min',
      '2 h',
    ])
  })
})

describe('the summary', () => {
  const reach = { reached: true, since: 1, at: 1 }
  it('names what matters most', () => {
    const of = (view: Partial<HealthView>) => summary({ ...EMPTY, reach, mood: 'bad', ...view })
    expect(summary(EMPTY)).toBe('Not checked yet.')
    expect(of({ reach: { ...reach, reached: false } })).toBe('The vendor is not responding.')
    expect(of({ staticToken: seen(false) })).toBe('The vendor refuses the token for static IPs.')
    expect(of({ agentToken: seen(false) })).toBe('The vendor refuses the token for traffic and customers.')
    expect(of({ staticToken: seen(false), agentToken: seen(false) })).toBe('The vendor refuses both tokens.')
    expect([of({ mood: 'look' }), of({ mood: 'good' })]).toEqual([
      'It works, but something needs your attention.',
      'The vendor responds and accepts your tokens.',
    ])
  })
})

describe('the tokens that need a new one', () => {
  it('are those that are saved and refused', () => {
    const of = (view: Partial<HealthView>) => refusedTokens({ ...EMPTY, ...view })
    expect([of({}), of({ staticToken: seen(true), agentToken: seen(true) })]).toEqual([[], []])
    expect(of({ agentToken: seen(false) })).toEqual(['agent'])
    expect(of({ staticToken: seen(false), agentToken: seen(false) })).toEqual(['static', 'agent'])
    expect(of({ hasStaticToken: false, staticToken: seen(false) })).toEqual([])
  })
})

describe('a change', () => {
  it('is told with what was before', () => {
    expect(changeWords({ what: 'capability', capability: 'renewals', from: 'present', to: 'absent' })).toBe(
      'Renew IPs: Available → Not available',
    )
    expect(changeWords({ what: 'zone', from: 480, to: 0 })).toBe('Time zone: UTC+08:00 → UTC+00:00')
    expect(changeWords({ what: 'page-size', from: 10, to: 50 })).toBe('Customers per page: 10 → 50')
    expect(changeWords({ what: 'gb-factor', from: 1024, to: 1000 })).toBe('Size of 1 GB: 1024 MB → 1000 MB')
    expect(changeWords({ what: 'word', from: '充值', to: 'Top-up' })).toBe(
      "Vendor's word in the traffic records: 充值 → Top-up",
    )
    expect(changeWords({ what: 'polarity', from: 'one-is-active', to: 'zero-is-active' })).toBe(
      'Enabling customers: 1 enables, 0 disables → 0 enables, 1 disables',
    )
  })
})

import { afterEach, expect, it } from 'vitest'
import { operation } from '../testing/operation'
import { useLanguage } from './i18n.svelte'
import {
  asOf,
  eventWords,
  explanation,
  showsFewer,
  stateWord,
  title,
  titleAround,
  toneOf,
} from './operationWords'

afterEach(() => useLanguage('en'))

it('names the class of an answer, a code that the contract explains, and any other code as a code', () => {
  const words = (answer: string) => eventWords({ at: 0, what: `answer ${answer}`, word: null, answer })
  expect(['cut', '60004', '60310'].map(words)).toEqual([
    'Response: the connection was cut',
    'Response: the wallet balance is too low (code 60004)',
    'Response: code 60310',
  ])
})

it('splits a title at the name, wherever the language puts it, and leaves one without a name whole', async () => {
  const set = operation({ kind: 'password', userName: 'Anna', customerId: '7' })
  expect(titleAround(set)).toEqual(['Set a proxy password for ', ''])
  await useLanguage('zh-CN')
  for (const one of [set, operation({ kind: 'status', active: false, userName: 'Anna' })])
    expect(titleAround(one).join('Anna')).toBe(title(one))
  expect(titleAround(operation())).toEqual([title(operation())])
})

it('says of every refused payment that nothing was charged, once', () => {
  const words = (code: string) =>
    explanation(
      operation({ state: 'rejected', kind: 'renew', refusal: { code, message: '', traceId: null } }),
    )
  for (const code of ['20000', '20010', '20011', '60004', '60306'])
    expect(words(code).match(/nothing was charged/gi)).toHaveLength(1)
})

it('never marks a payment as merely done that was carried out otherwise than confirmed', () => {
  const done = operation({ kind: 'renew', state: 'applied', isDone: true })
  const looks = (one: typeof done) => [stateWord(one), toneOf(one)]
  expect(looks(done)).toEqual(['Done', 'done'])
  expect(looks({ ...done, alarm: true })).toEqual(['Done, with differences', 'waiting'])
  const order = { orderNo: 'SO1', amount: done.amount, currency: 'USD' } as NonNullable<typeof done.order>
  const says = (one: typeof done) => explanation({ ...one, alarm: true })
  expect(says({ ...done, order })).toContain('Check each IP below')
  expect(says({ ...done, order: { ...order, amount: '1' } })).toContain('Check the amount and the IPs')
  expect(says({ ...done, kind: 'place-and-pay', order })).toContain('not for the amount that you confirmed')
})

it('says why it is too late to send a payment again, and never that a resend is safe', () => {
  const asked = { state: 'needs-you', isUnconfirmed: true, isTooLateToResend: true } as const
  const refused = { code: '60310', message: '', traceId: null }
  for (const kind of ['renew', 'place-and-pay'] as const)
    for (const refusal of [null, refused])
      expect(explanation(operation({ ...asked, kind, refusal }))).toContain('could charge you twice')
  expect(explanation(operation({ ...asked, isTooLateToResend: false }))).not.toContain(
    'could charge you twice',
  )
})

it('is too late for a resend from the minute on that the program named', () => {
  const young = operation({ kind: 'renew', mayResend: true, resendsUntil: 1_000 })
  const at = (now: number) => asOf(young, now)
  expect([at(999).mayResend, at(999).isTooLateToResend]).toEqual([true, false])
  expect([at(1_000).mayResend, at(1_000).isTooLateToResend]).toEqual([false, true])
  expect(asOf(operation({ mayResend: true }), 1e15).mayResend).toBe(true)
})

it('knows when a move that was seen twice was last seen once, whatever could not be read since', () => {
  const events = (...all: string[]) => all.map((what) => ({ at: 0, what, word: null, answer: null }))
  const doubled = { reason: 'doubled', counteredBy: null } as const
  const fewer = (...all: string[]) => showsFewer(operation({ ...doubled, events: events(...all) }))
  expect(fewer('sending', 'looked-twice', 'needs-you')).toBe(false)
  expect(fewer('looked-twice', 'looked-unreadable')).toBe(false)
  expect(fewer('looked-twice', 'looked-once', 'looked-unreadable')).toBe(true)
  expect(fewer('looked-twice', 'looked-once', 'looked-twice')).toBe(false)
  for (const seen of ['looked-nothing', 'looked-disagree']) expect(fewer('looked-twice', seen)).toBe(true)
  expect(fewer('looked-once', 'looked-surplus', 'needs-you')).toBe(true)
  const reversed = operation({ ...doubled, counteredBy: 'b', events: events('looked-once') })
  const other = operation({ ...doubled, reason: 'contradiction', events: events('looked-once') })
  expect([reversed, other].map(showsFewer)).toEqual([false, false])
})

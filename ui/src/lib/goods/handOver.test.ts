import { beforeEach, describe, expect, it } from 'vitest'
import type { BuyerView } from '../../bindings/BuyerView'
import { Program, part, settled } from '../../testing/program'
import { HandOver } from './handOver.svelte'
import { People } from './people.svelte'

let program: Program
let people: People
let hand: HandOver
const ali = part<BuyerView>({
  id: 1,
  name: 'ali',
  contact: '',
  customer: null,
  deleted: false,
  language: 'zh-CN',
  layout: { format: 'at', template: '' },
})
beforeEach(async () => {
  program = new Program()
    .answer('list_buyers', [ali])
    .answer('list_customers', [])
    .answer('assign_goods', [ali])
    .answer('preview_delivery', 'concealed')
    .answer('show_delivery', { text: 'with secrets', colons: false })
    .answer('copy_delivery', false)
    .answer('mark_sent', 5)
    .answer('unmark_sent', null)
    .answer('last_hand_over', { format: 'http', kind: 'txt' })
    .answer('whose_goods', {
      whose: [{ buyer: { id: 1, name: 'ali', deleted: false }, count: 2 }],
      expired: [],
      unreadable: [],
    })
  people = new People(program.call)
  await people.load()
  hand = new HandOver(program.call, people, ['a', 'b'])
})
const layout = { format: 'at', template: '' }
const asked = { keys: ['a', 'b'], buyer: 1, layout, language: 'zh-CN' }

describe('handing over', () => {
  it('begins with the buyer that the IPs are for, in their format and language, concealed', async () => {
    await hand.begin()
    await settled()
    expect([hand.chosen, hand.message, program.count('assign_goods')]).toEqual(['buyer 1', 'concealed', 0])
    expect(program.last('preview_delivery')).toEqual(asked)
  })

  it('does not begin with a deleted buyer', async () => {
    program.answer('list_buyers', [{ ...ali, deleted: true }])
    await hand.begin()
    expect(hand.buyer).toBe(null)
  })

  it('says whose the IPs are when they are of several, and how many have run out or cannot be read', async () => {
    const whose = [
      { buyer: { id: 1, name: 'ali', deleted: false }, count: 1 },
      { buyer: null, count: 1 },
    ]
    program.answer('whose_goods', { whose, expired: ['a'], unreadable: ['b'] })
    await hand.begin()
    const about = [hand.several, hand.expired.length, hand.unreadable.length]
    expect([hand.buyer, ...about]).toEqual([null, '1 for ali and 1 not assigned', 1, 1])
    await hand.assign('buyer 1')
    expect(hand.several).toBe(null)
    await hand.leaveOut(hand.expired)
    expect([hand.keys, hand.expired]).toEqual([['b'], []])
  })

  it('stops what is being sent when somebody else is chosen, and marks nothing of theirs', async () => {
    const bob = part<BuyerView>({ ...ali, id: 2, name: 'bob' })
    program.answer('list_buyers', [ali, bob]).answer('assign_goods', [ali, bob])
    people = new People(program.call)
    await people.load()
    hand = new HandOver(program.call, people, ['a', 'b'])
    await hand.begin()
    program.hold('copy_delivery')
    const copied = hand.copy()
    await hand.assign('buyer 2')
    expect([await copied, hand.buyer?.id, hand.sent]).toEqual([false, 2, null])
    expect([program.held('copy_delivery')[0]?.stopped, program.count('mark_sent')]).toEqual([true, 0])
    program.answer('copy_delivery', false).hold('mark_sent')
    const marked = hand.copy()
    await settled()
    await hand.assign('buyer 1')
    await program.held('mark_sent')[0]?.answer(5)
    await marked
    expect([hand.buyer?.id, hand.sent]).toEqual([1, null])
  })

  it('reveals what is chosen now when the format changes before the answer', async () => {
    await hand.begin()
    program.hold('show_delivery')
    const first = hand.reveal()
    const again = hand.useFormat('socks5')
    const [early, late] = program.held('show_delivery')
    await late?.answer({ text: 'new format', colons: false })
    await early?.answer({ text: 'old format', colons: true })
    await Promise.all([first, again])
    expect([hand.message, hand.colonsBreak]).toEqual(['new format', false])
  })

  it('assigns the IPs as soon as somebody is chosen', async () => {
    await hand.assign('new Ali')
    expect(program.last('assign_goods')).toEqual([
      { keys: ['a', 'b'], who: { what: 'new', name: 'Ali' }, note: null },
    ])
    expect(hand.buyer?.id).toBe(1)
  })

  it('copies nothing while nobody is chosen, or the choice was not recorded', async () => {
    expect(await hand.copy()).toBe(false)
    program.refuse('assign_goods', 'journal')
    await hand.assign('buyer 1')
    expect([await hand.copy(), hand.error?.code]).toEqual([false, 'journal'])
    expect(program.count('copy_delivery')).toBe(0)
  })

  it('marks the IPs as sent when the message is copied, and takes that back', async () => {
    await hand.begin()
    expect(await hand.copy()).toBe(true)
    expect(program.last('copy_delivery')).toEqual(asked)
    expect(program.last('mark_sent')).toEqual({ keys: ['a', 'b'], buyer: 1, how: 'copied' })
    expect(hand.sent).toBe('copied')
    await hand.unmark()
    expect([hand.sent, program.last('unmark_sent')?.how]).toEqual([null, 'copied'])
  })

  it('marks nothing that was not copied, nor without being asked to', async () => {
    await hand.begin()
    program.refuse('copy_delivery', 'unreachable')
    expect(await hand.copy()).toBe(false)
    expect([hand.error?.code, program.count('mark_sent')]).toEqual(['unreachable', 0])
    program.answer('copy_delivery', false)
    hand.marks = false
    await hand.copy()
    expect([hand.sent, program.count('mark_sent')]).toEqual([null, 0])
    await hand.mark()
    expect(hand.sent).toBe('by-hand')
  })

  it('leaves IPs out of the message and of the mark, takes them in again, and changes nothing that was sent', async () => {
    await hand.begin()
    await hand.leaveOut(['a'])
    expect([hand.keys, hand.leftOut, program.last('preview_delivery')?.keys]).toEqual([['b'], 1, ['b']])
    expect(program.last('whose_goods')).toEqual(['b'])
    await hand.leaveOut(['b'])
    expect(hand.keys).toEqual([])
    await hand.putBack()
    expect([hand.keys, program.last('preview_delivery')?.keys]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    await hand.leaveOut(['b'])
    await hand.copy()
    expect(program.last('mark_sent')?.keys).toEqual(['a'])
    await hand.putBack()
    expect(hand.keys).toEqual(['a'])
  })

  it('says that a colon breaks the lines that were read, until another format is chosen', async () => {
    await hand.begin()
    expect(hand.colonsBreak).toBe(false)
    program.answer('copy_delivery', true)
    await hand.copy()
    expect(hand.colonsBreak).toBe(true)
    await hand.useFormat('host-only')
    expect(hand.colonsBreak).toBe(false)
    program.answer('show_delivery', { text: 'with secrets', colons: true })
    await hand.reveal()
    expect(hand.colonsBreak).toBe(true)
    hand.conceal()
    expect(hand.colonsBreak).toBe(false)
  })

  it('says where the file is, and marks it as such', async () => {
    program.answer('save_delivery', { path: '/x.txt', count: 2, colons: false })
    await hand.begin()
    await hand.save()
    expect(hand.sent).toBe('file')
    program.hold('picture_delivery')
    const drawing = hand.picture()
    await program.held('picture_delivery')[0]?.refuse('invalid', { field: 'delivery', why: 'too-long' })
    expect([await drawing, hand.sent]).toEqual([false, 'file'])
    program.answer('picture_delivery', { path: '/x.png', count: 2, colons: false })
    await hand.picture()
    expect(hand.sent).toBe('picture')
  })

  it('shows credentials only when asked, in any format, and conceals them for another buyer', async () => {
    await hand.begin()
    await hand.reveal()
    expect(hand.message).toBe('with secrets')
    await hand.useFormat('http')
    expect(program.last('show_delivery')?.layout.format).toBe('http')
    await hand.useLanguage('en')
    expect(program.last('show_delivery')?.language).toBe('en')
    await hand.assign('buyer 1')
    await settled()
    expect([hand.revealed.value, hand.message]).toEqual([null, 'concealed'])
  })

  it('begins with the format that was used last for a buyer who has none yet', async () => {
    program.answer('list_buyers', [{ ...ali, layout: null }]).answer('proxy_template', '%ip%')
    await hand.begin()
    expect(hand.format).toBe('http')
    program.answer('last_hand_over', { format: 'own', kind: 'txt' })
    const other = new HandOver(program.call, people, ['a'])
    await other.begin()
    expect([other.format, other.template]).toEqual(['own', '%ip%'])
    program.refuse('last_hand_over', 'internal')
    const last = new HandOver(program.call, people, ['a'])
    await last.begin()
    expect([last.format, last.buyer?.id]).toEqual(['host-first', 1])
  })

  it('reads the template of an own format once', async () => {
    program.answer('proxy_template', '%ip%')
    program.answer('list_buyers', [{ ...ali, layout: null }])
    await hand.begin()
    await hand.useFormat('own')
    await hand.useFormat('own')
    expect([hand.template, program.count('proxy_template')]).toEqual(['%ip%', 1])
  })
})

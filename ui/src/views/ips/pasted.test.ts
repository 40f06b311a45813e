import { beforeEach, describe, expect, it } from 'vitest'
import type { PastedLine } from '../../bindings/PastedLine'
import { People } from '../../lib/goods/people.svelte'
import { kept } from '../../lib/kept.svelte'
import { Program } from '../../testing/program'
import { ALL, Pasted, Unassigned } from './pasted.svelte'

let program: Program
let pasted: Pasted
const ali = { who: { what: 'buyer' as const, id: 1 }, name: 'ali' }
const meaning = (text: string, ...whose: string[]) => ({ text, keys: [`SO ${text}`], whose })
const line = (number: number, of: Partial<PastedLine> = {}): PastedLine => ({
  number,
  addresses: [{ text: '1.1.1.1', meanings: [meaning('1.1.1.1:80')] }],
  name: 'ali',
  meant: { one: ali, perhaps: [] },
  ...of,
})
const read = async (...lines: PastedLine[]) => {
  program.answer('read_pasted', lines)
  pasted.text = 'text'
  await pasted.read()
}
beforeEach(() => {
  program = new Program().answer('assign_goods', [])
  pasted = new Pasted(program.call, new People(program.call))
})
const questions = () => pasted.lines.map((one) => pasted.question(one))

describe('a pasted list', () => {
  it('is recorded when nothing is open', async () => {
    await read(line(1))
    expect([questions(), pasted.count]).toEqual([[null], 1])
    expect(await pasted.save()).toBe(true)
    expect(program.last('assign_goods')).toEqual([{ keys: ['SO 1.1.1.1:80'], who: ali.who, note: null }])
  })

  it('says whose the IPs of a line are now, unless the line names the same', async () => {
    const meanings = [meaning('1.1.1.1:80', 'bob'), meaning('1.1.1.1:81', 'cleo', 'bob')]
    const [first] = await read(line(1, { addresses: [{ text: '1.1.1.1', meanings }] })).then(
      () => pasted.lines,
    )
    if (!first) throw new Error('no line')
    expect([pasted.now(first, 'ali'), pasted.now(first, 'bob')]).toEqual([['bob', 'cleo'], ['cleo']])
    const [address] = first.addresses
    if (address) pasted.choose(first, address, '1.1.1.1:80')
    expect(pasted.now(first, 'ali')).toEqual(['bob'])
  })

  it('records nothing and takes no answer while another text is read', async () => {
    await read(line(1))
    program.hold('read_pasted')
    pasted.text = 'another text'
    const [first] = pasted.lines
    if (first) pasted.leaveOut(first, true)
    expect([pasted.stale, await pasted.save(), program.count('assign_goods')]).toEqual([true, false, 0])
    expect(first && pasted.answer(first).out).toBe(false)
    const reading = pasted.read()
    await program.held('read_pasted')[0]?.answer([line(1, { name: 'bob' })])
    await reading
    expect([pasted.stale, await pasted.save()]).toEqual([false, true])
  })

  it('reads the text on screen, in whatever order the answers come, and goes on after one that failed', async () => {
    program.hold('read_pasted')
    pasted.text = 'big'
    const first = pasted.read()
    pasted.text = 'one'
    const second = pasted.read()
    const [early, late] = program.held('read_pasted')
    await late?.answer([line(1)])
    await early?.answer([line(1), line(2)])
    await Promise.all([first, second])
    expect([pasted.lines.length, pasted.stale]).toEqual([1, false])
    pasted.text = 'another'
    const third = pasted.read()
    await program.held('read_pasted')[0]?.refuse('vendor-trouble')
    await third
    expect([pasted.lines.length, pasted.stale, pasted.error?.code]).toEqual([0, false, 'vendor-trouble'])
    pasted.text = ''
    await pasted.read()
    expect([pasted.lines.length, pasted.stale, pasted.error]).toEqual([0, false, null])
  })

  it('asks about what is unknown, and records nothing until every line is answered or left out', async () => {
    const nobody = { one: null, perhaps: [] }
    await read(
      line(1),
      line(2, { addresses: [] }),
      line(3, { addresses: [{ text: '9.9.9.9', meanings: [] }] }),
      line(4, {
        addresses: [{ text: '2.2.2.2', meanings: [meaning('2.2.2.2:80')] }],
        name: 'dora',
        meant: nobody,
      }),
      line(5, {
        addresses: [{ text: '3.3.3.3', meanings: [meaning('3.3.3.3:80')] }],
        name: '',
        meant: nobody,
      }),
    )
    expect(questions()).toEqual([null, 'no-address', 'unknown', 'who', 'no-name'])
    expect([await pasted.save(), program.count('assign_goods')]).toEqual([false, 0])
    const [, second, third, fourth] = pasted.lines
    if (!second || !third || !fourth) throw new Error('lines')
    pasted.leaveOut(second, true)
    pasted.leaveOut(third, true)
    pasted.give(fourth, 'new dora')
    pasted.otherwise = 'new eve'
    expect(questions()).toEqual([null, null, null, null, null])
    pasted.leaveOut(third, false)
    expect(pasted.open).toBe(1)
    pasted.leaveOut(third, true)
    await pasted.save()
    expect(program.last('assign_goods')?.map(({ who }) => who)).toEqual([
      ali.who,
      { what: 'new', name: 'dora' },
      { what: 'new', name: 'eve' },
    ])
  })

  it('asks which one when an address has several meanings, and takes one or all', async () => {
    const twofold = { text: '1.1.1.1', meanings: [meaning('1.1.1.1:80'), meaning('1.1.1.1:90')] }
    await read(line(1, { addresses: [twofold] }))
    const [first] = pasted.lines
    if (!first) throw new Error('a line')
    expect(pasted.question(first)).toBe('which')
    pasted.choose(first, twofold, '1.1.1.1:90')
    expect(pasted.all[0]?.keys).toEqual(['SO 1.1.1.1:90'])
    pasted.choose(first, twofold, ALL)
    expect(pasted.count).toBe(2)
  })

  it('leaves a choice open to be corrected once it is made', async () => {
    const twofold = { text: '1.1.1.1', meanings: [meaning('1.1.1.1:80'), meaning('1.1.1.1:90')] }
    await read(line(1, { addresses: [twofold], meant: { one: null, perhaps: [ali] } }), line(2))
    const [first, second] = pasted.lines
    if (!first || !second) throw new Error('lines')
    expect([pasted.severalMeanings(first), pasted.asksWho(first)]).toEqual([[twofold], false])
    pasted.choose(first, twofold, '1.1.1.1:90')
    expect(pasted.asksWho(first)).toBe(true)
    pasted.give(first, 'buyer 1')
    expect(pasted.question(first)).toBeNull()
    expect([pasted.severalMeanings(first), pasted.asksWho(first)]).toEqual([[twofold], true])
    pasted.give(first, 'new ali')
    expect(pasted.all[0]?.who).toEqual({ what: 'new', name: 'ali' })
    expect([pasted.severalMeanings(second), pasted.asksWho(second)]).toEqual([[], false])
  })

  it('asks when two lines give the same IP to different buyers', async () => {
    const bob = { who: { what: 'buyer' as const, id: 2 }, name: 'bob' }
    await read(line(1), line(2), line(3, { name: 'bob', meant: { one: bob, perhaps: [] } }))
    expect([questions(), pasted.count]).toEqual([[null, null, 'twice'], 1])
  })

  it('forgets its answers with another text, and everything with none', async () => {
    await read(line(1, { meant: { one: null, perhaps: [] } }))
    const [first] = pasted.lines
    if (!first) throw new Error('a line')
    pasted.give(first, 'new dora')
    // The same text is read again when the dialog is opened again.
    await pasted.read()
    expect(questions()).toEqual([null])
    pasted.text = 'another text'
    await pasted.read()
    expect(questions()).toEqual(['who'])
    pasted.text = ' '
    await pasted.read()
    expect(pasted.lines).toEqual([])
  })

  it('stays when its dialog is left, until it is assigned or given up', async () => {
    kept.forget()
    const open = () => kept.of(Unassigned, program.call).pasted
    program.answer('read_pasted', [line(1)])
    open().text = 'text'
    await open().read()
    const [first] = open().lines
    if (first) open().leaveOut(first, true)
    expect([open().text, open().lines.length, open().count]).toEqual(['text', 1, 0])
    open().clear()
    expect([open().text, open().lines, open().stale, open().error]).toEqual(['', [], false, null])
    // Answers belong to lines, not to their numbers.
    open().text = 'text'
    await open().read()
    expect(open().count).toBe(1)
    kept.forget()
    expect(open().text).toBe('')
  })
})

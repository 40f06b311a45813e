import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Program, settled } from '../testing/program'
import { Resource, Work } from './resource.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})
const names = (resource: Resource<string[]>, text: string) =>
  resource.ask(async (signal) =>
    (await program.call('search_vendor_places', text, signal)).map((hit) => hit.nameEn),
  )
const hit = (nameEn: string) => [{ nameEn } as never]

describe('a resource', () => {
  it('keeps what comes, and says meanwhile that it is under way', async () => {
    const resource = new Resource<string[]>([])
    const asked = names(resource, 'ro')
    expect([resource.busy, resource.value]).toEqual([true, []])
    await program.held('search_vendor_places')[0]?.answer(hit('Rome'))
    expect(await asked).toEqual(['Rome'])
    expect([resource.busy, resource.value]).toEqual([false, ['Rome']])
  })

  it('drops an answer to an earlier question, however late, and stops waiting for it', async () => {
    const resource = new Resource<string[]>([])
    const slow = { answer: (_: string[]) => {} }
    const first = resource.ask(() => new Promise<string[]>((done) => Object.assign(slow, { answer: done })))
    const second = names(resource, 'rom')
    await program.held('search_vendor_places')[0]?.answer(hit('Rome'))
    slow.answer(['Rodez'])
    expect([await first, await second]).toEqual([undefined, ['Rome']])
    expect(resource.value).toEqual(['Rome'])
  })

  it('shows an error and loses nothing; the next answer clears it', async () => {
    const resource = new Resource(['Rome'])
    void names(resource, 'x')
    await program.held('search_vendor_places')[0]?.refuse('unreachable')
    expect([resource.error?.code, resource.value, resource.busy]).toEqual(['unreachable', ['Rome'], false])
    const again = names(resource, 'p')
    expect(resource.error).toBeNull()
    await program.held('search_vendor_places')[0]?.answer(hit('Paris'))
    await again
    expect([resource.error, resource.value]).toEqual([null, ['Paris']])
  })

  it('knows of when a value is that could not be read again', async () => {
    const resource = new Resource<string[]>([])
    const read = (code?: 'unreachable') => {
      const asked = names(resource, 'r')
      const [question] = program.held('search_vendor_places')
      return Promise.all([asked, code ? question?.refuse(code) : question?.answer(hit('Rome'))])
    }
    await read('unreachable')
    expect([resource.readAt, resource.lastReadAt]).toEqual([null, null])
    const before = Date.now()
    await read()
    expect([(resource.readAt ?? 0) >= before, resource.lastReadAt]).toEqual([true, null])
    const { readAt } = resource
    await read('unreachable')
    expect([resource.readAt, resource.lastReadAt]).toEqual([readAt, readAt])
  })

  it('keeps an error on screen until an answer came, where it is quiet', async () => {
    const resource = new Resource<string[]>([], { quiet: true })
    resource.fail(new Error('the bridge is gone'))
    void names(resource, 'p')
    expect(resource.error?.code).toBe('internal')
    await program.held('search_vendor_places')[0]?.answer([])
    expect(resource.error).toBeNull()
  })

  it('can be stopped: the program is told, and nothing is shown as wrong', async () => {
    const resource = new Resource<string[]>(['Rome'])
    const asked = names(resource, 'p')
    const [question] = program.held('search_vendor_places')
    resource.stop()
    expect([await asked, question?.stopped, resource.busy]).toEqual([undefined, true, false])
    expect([resource.error, resource.value]).toEqual([null, ['Rome']])
  })

  it('offers to go on after a stop where that is asked for', async () => {
    const resource = new Resource<string[]>([], { showsStop: true })
    const asked = names(resource, 'p')
    resource.stop()
    await asked
    expect(resource.error?.code).toBe('given-up')
  })

  it('drops what is under way without a successor', async () => {
    const resource = new Resource<string[]>(['Rome'])
    const late = { answer: (_: string[]) => {} }
    const asked = resource.ask(() => new Promise<string[]>((done) => Object.assign(late, { answer: done })))
    resource.drop()
    late.answer(['Paris'])
    expect([await asked, resource.value, resource.busy]).toEqual([undefined, ['Rome'], false])
  })

  it('asks in turn: one at a time, and once more for all that was asked meanwhile', async () => {
    const resource = new Resource<string[]>([])
    const ask = () => resource.askInTurn(() => program.call('message_template', 'en').then((one) => [one]))
    const all = Promise.all([ask(), ask(), ask()])
    expect(program.count('message_template')).toBe(1)
    await program.held('message_template')[0]?.answer('a')
    expect(program.count('message_template')).toBe(2)
    await program.held('message_template')[0]?.answer('b')
    await all
    expect([program.count('message_template'), resource.value]).toEqual([2, ['b']])
  })

  describe('with a clock', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('offers a way out once it takes long, and not before', async () => {
      const resource = new Resource<string[]>([])
      void names(resource, 'p')
      vi.advanceTimersByTime(1499)
      expect(resource.long).toBe(false)
      vi.advanceTimersByTime(1)
      expect(resource.long).toBe(true)
      resource.stop()
      expect(resource.long).toBe(false)
    })
  })
})

describe('work', () => {
  it('is done once however often it is pressed', async () => {
    const work = new Work()
    const press = () => work.once(() => program.call('save_report', null))
    const presses = Promise.all([press(), press()])
    expect(program.count('save_report')).toBe(1)
    await program.held('save_report')[0]?.answer('/report')
    expect(await presses).toEqual([true, false])
    void press()
    await settled()
    expect(program.count('save_report')).toBe(2)
  })

  it('says what went wrong', async () => {
    const work = new Work()
    program.refuse('save_report', 'not-saved')
    expect(await work.attempt(() => program.call('save_report', null))).toBe(false)
    expect(work.error?.code).toBe('not-saved')
  })
})

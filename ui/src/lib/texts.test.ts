import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { Texts } from './texts.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('the ready message of customers', () => {
  it('never writes over what was typed meanwhile', async () => {
    const template = new Texts(program.call, 'message_template', 'save_template')
    const read = template.read('en')
    template.texts.en = 'typed'
    await program.held('message_template')[0]?.answer('kept')
    await read
    expect(template.texts.en).toBe('typed')
  })

  it('saves every language that was read, and stays open when one was not saved', async () => {
    const template = new Texts(program.call, 'message_template', 'save_template')
    program.answer('message_template', (language) => language)
    await template.read('en')
    await template.read('zh-CN')
    program.refuse('save_template', 'not-saved')
    expect([await template.save(), template.error?.code]).toEqual([false, 'not-saved'])
    program.answer('save_template', null)
    expect([await template.save(), program.count('save_template')]).toEqual([true, 3])
  })
})

describe('the delivery message', () => {
  let template: Texts
  beforeEach(() => {
    program.answer('delivery_template', (language) => `${language}: {proxies}`)
    template = new Texts(program.call, 'delivery_template', 'save_delivery_template')
  })

  it('keeps what was typed in one language while another is read', async () => {
    await template.read('en')
    template.texts.en = 'mine {proxies}'
    await template.read('zh-CN')
    await template.read('en')
    expect(template.texts).toEqual({ en: 'mine {proxies}', 'zh-CN': 'zh-CN: {proxies}' })
  })

  it('names the language whose text is wrong, and saves every one that is read', async () => {
    await template.read('en')
    await template.read('zh-CN')
    program.hold('save_delivery_template')
    const saving = template.save()
    await program.held('save_delivery_template')[0]?.answer(null)
    await program
      .held('save_delivery_template')[0]
      ?.refuse('invalid', { field: 'delivery-template', why: 'no-proxies' })
    expect([await saving, template.wrong, template.error?.code]).toEqual([false, 'zh-CN', 'invalid'])
    program.answer('save_delivery_template', null)
    expect([await template.save(), template.wrong]).toEqual([true, null])
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { MessageTemplate } from './messageTemplate.svelte'

let program: Program
let template: MessageTemplate
beforeEach(() => {
  program = new Program().answer('delivery_template', (language) => `${language}: {proxies}`)
  template = new MessageTemplate(program.call)
})

describe('the delivery message', () => {
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

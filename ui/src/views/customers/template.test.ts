import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Template } from './template.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('the template', () => {
  it('never writes over what was typed meanwhile', async () => {
    const template = new Template(program.call)
    const read = template.read('en')
    template.texts.en = 'typed'
    await program.held('message_template')[0]?.answer('kept')
    await read
    expect(template.texts.en).toBe('typed')
  })

  it('saves every language that was read, and stays open when one was not saved', async () => {
    const template = new Template(program.call)
    program.answer('message_template', (language) => language)
    await template.read('en')
    await template.read('zh-CN')
    program.refuse('save_template', 'not-saved')
    expect([await template.save(), template.error?.code]).toEqual([false, 'not-saved'])
    program.answer('save_template', null)
    expect([await template.save(), program.count('save_template')]).toEqual([true, 3])
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { ProgramText } from './text.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('a text of the program', () => {
  it('stays to be read when it cannot be saved', async () => {
    const text = new ProgramText(program.call)
    program.answer('preview_report', 'all is well').refuse('save_report', 'not-saved')
    await text.read('report')
    expect(await text.save()).toBe(false)
    expect([text.text.value, text.error?.code]).toEqual(['all is well', 'not-saved'])
  })
})

import { expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Traffic } from './traffic.svelte'

it('begins with usage, and asks nothing before a part is shown', () => {
  const program = new Program()
  const traffic = new Traffic(program.call)
  expect([traffic.part, program.asked]).toEqual(['usage', []])
})

import { expect, it } from 'vitest'
import { Answers } from './answers.svelte'

it('shows what was answered for all rows, and says when another amount is typed', () => {
  const answers = new Answers()
  answers.each = '5'
  expect(answers.unsaved).toBe(false)
  answers.note({ answer: 'comma', comma: 'decimal' })
  answers.note({ answer: 'unit', unit: 'gb' })
  answers.note({ answer: 'each', gb: '5' })
  answers.note({ answer: 'all-suggestions' })
  expect([answers.given, answers.unsaved]).toEqual([{ comma: 'decimal', unit: 'gb', each: '5' }, false])
  answers.each = '50'
  expect(answers.unsaved).toBe(true)
  answers.discard()
  expect([answers.each, answers.unsaved]).toEqual(['5', false])
  answers.forget()
  expect([answers.given, answers.each, answers.commaAsked]).toEqual([{}, '', null])
})

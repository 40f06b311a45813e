import { beforeEach, describe, expect, it } from 'vitest'
import type { DraftRow } from '../../../bindings/DraftRow'
import { Program, part } from '../../../testing/program'
import { checkWords } from './words'

beforeEach(() => {
  new Program()
})
const row = (of: Partial<DraftRow>) => part<DraftRow>({ problem: null, near: null, text: '', ...of })

describe('what becomes of a row', () => {
  it('names both amounts where another one is sent than was written', () => {
    const nearest = row({ gb: '0.4883', mb: '500.0192', askedMb: '500' })
    expect(checkWords(nearest, 'recharge')).toBe('500 MB → 0.4883 GB (500.0192 MB)')
    expect(checkWords(row({ gb: '0.5', mb: '512', askedMb: null }), 'recharge')).toBe('Will be sent')
  })

  it('names the problem before anything else', () => {
    const tooMuch = row({ gb: '0.4883', mb: '500.0192', askedMb: '500', problem: 'beyond-left' })
    expect(checkWords(tooMuch, 'deduct')).toBe('More than the customer has left.')
  })
})

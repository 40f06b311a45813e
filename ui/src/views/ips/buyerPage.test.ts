import { describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { BuyerDetail } from './buyerPage.svelte'

describe('a buyer’s page', () => {
  it('keeps the deliveries on screen when they cannot be read again', async () => {
    const program = new Program().answer('deliveries_of', [{ at: 1, how: 'copied', addresses: ['a'] }])
    const detail = new BuyerDetail(program.call, 7)
    await detail.load()
    program.refuse('deliveries_of', 'journal')
    await detail.load()
    expect([detail.deliveries.value?.length, detail.deliveries.error?.code]).toEqual([1, 'journal'])
    expect(program.last('deliveries_of')).toBe(7)
  })
})

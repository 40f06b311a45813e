import { describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { BuyersIps } from './buyerPage.svelte'

describe('the lists on the buyers’ pages', () => {
  it('keep their search, and follow it when the page that asked first is left and opened again', () => {
    const lists = new BuyersIps(new Program().call)
    const leave = $effect.root(() => {
      const list = lists.of(7)
      list.search = 'tokyo'
      expect(list.asked.search).toBe('tokyo')
    })
    leave()
    lists.of(7).search = 'osaka'
    expect([lists.of(7).asked.search, lists.of(8).asked.search]).toEqual(['osaka', ''])
  })
})

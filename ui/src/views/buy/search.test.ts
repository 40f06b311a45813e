import { beforeEach, describe, expect, it } from 'vitest'
import type { PlaceHit } from '../../bindings/PlaceHit'
import { Program, part } from '../../testing/program'
import { PlaceSearch } from './search.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const hits = (nameEn: string) => [part<PlaceHit>({ nameEn })]

describe('the search for a place', () => {
  it('shows what belongs to the last letter', async () => {
    const search = new PlaceSearch(program.call)
    const typed = Promise.all([search.type('ro'), search.type('rom')])
    const [early, late] = program.held('search_places')
    await late?.answer(hits('Rome'))
    await early?.answer(hits('Rodez'))
    await typed
    expect(search.hits[0]?.nameEn).toBe('Rome')
  })

  it('asks the vendor where the dictionary has nothing, and drops its answer once more is typed', async () => {
    const search = new PlaceSearch(program.call)
    program.answer('search_places', [])
    await search.type('atlantis')
    expect(search.nothing).toBe(true)
    const asked = search.atVendor()
    const [question] = program.held('search_vendor_places')
    await search.type('atlantis c')
    await asked
    expect([question?.stopped, search.hits, search.error]).toEqual([true, [], null])
  })

  it('opens its list with what the vendor found', async () => {
    const search = new PlaceSearch(program.call)
    program.answer('search_vendor_places', hits('Atlantis'))
    await search.atVendor()
    expect([search.open, search.hits.length]).toEqual([true, 1])
  })

  it('is empty after a choice, whatever is still under way', async () => {
    const search = new PlaceSearch(program.call)
    const typed = search.type('rom')
    search.clear()
    await program.held('search_places')[0]?.answer(hits('Rome'))
    await typed
    expect([search.typed, search.hits]).toEqual(['', []])
  })
})

import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import type { NamedPlaces } from '../bindings/NamedPlaces'
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import { Program, part, settled } from '../testing/program'
import { rowsOf } from './purchaseRows.svelte'

const where = (of: { rows: { what: string; value: string }[] }) =>
  of.rows.find((row) => row.what === 'where')?.value

it('names the places of a purchase as soon as they are read, and has no rows without one', async () => {
  const country = part<NamedPlaces['countries'][number]>({
    countryCode: 'JP',
    nameZh: '日本',
    nameEn: 'Japan',
  })
  const program = new Program()
  program.hold('place_names')
  let bought = $state.raw<PurchaseConfig | null>(null)
  let shown: ReturnType<typeof rowsOf> = { rows: [] }
  const end = $effect.root(() => {
    shown = rowsOf(() => bought)
  })
  flushSync()
  expect(shown.rows).toEqual([])
  bought = part<PurchaseConfig>({
    quotaItems: [{ type: 'country_random', countryCode: 'JP', quantity: 2 }],
    days: 30,
    lineType: '3',
    businessId: '1',
  } as Partial<PurchaseConfig>)
  flushSync()
  expect(where(shown)).toMatch(/^JP/)
  await program
    .held('place_names')[0]
    ?.answer({ continents: [], countries: [country], cities: [], complete: true })
  await settled()
  expect(where(shown)).toMatch(/^Japan/)
  end()
})

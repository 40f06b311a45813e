import { expect, it } from 'vitest'
import { vendorMoment } from './format'
import { useVendorZone, vendorZone } from './vendorZone.svelte'

it("is that of the open connection, and moves the vendor's times", () => {
  const shown = vendorMoment('2026-11-23 04:24:00')
  useVendorZone(60)
  expect([vendorZone(), vendorMoment('2026-11-23 04:24:00') !== shown]).toEqual([60, true])
  expect(vendorMoment('2026-11-22 21:24:00')).toBe(shown)
  useVendorZone(480)
})

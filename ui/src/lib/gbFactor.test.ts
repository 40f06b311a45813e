import { expect, it } from 'vitest'
import { gbFactor, useGbFactor } from './gbFactor.svelte'

it('counts as the open connection does', () => {
  useGbFactor(1000)
  expect(gbFactor()).toBe(1000n)
  useGbFactor(1024)
  expect(gbFactor()).toBe(1024n)
})

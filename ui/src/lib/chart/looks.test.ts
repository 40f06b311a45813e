import { expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Kept } from '../kept.svelte'
import { Looks } from './looks.svelte'

it('remembers how each chart was left until another account is opened', () => {
  const kept = new Kept()
  const { call } = new Program()
  const left = { asTable: true, zoom: ['2026-11-01', '2026-11-03'] as [string, string] }
  kept.of(Looks, call).keep('overview usage', left)
  expect(kept.of(Looks, call).of('overview usage')).toEqual(left)
  expect(kept.of(Looks, call).of('traffic usage')).toEqual({ asTable: false, zoom: null })
  kept.forget()
  expect(kept.of(Looks, call).of('overview usage')).toEqual({ asTable: false, zoom: null })
})

import { flushSync } from 'svelte'
import { beforeEach, expect, it } from 'vitest'
import { route } from './route.svelte'
import { begins } from './task'

let begun: string[]
let end: () => void
beforeEach(() => {
  begun = []
  route.begin('overview')
  end?.()
  end = $effect.root(() => begins({ 'add-order': ({ what }) => begun.push(what) }))
})

it('begins a task once, each time it is asked for', () => {
  for (const times of [1, 2]) {
    route.go({ place: 'orders' }, { what: 'add-order' })
    flushSync()
    flushSync()
    expect([begun.length, route.task]).toEqual([times, null])
  }
})

it('leaves what another view begins to that view', () => {
  route.go({ place: 'buy' }, { what: 'find-place' })
  flushSync()
  expect([begun, route.task]).toEqual([[], { what: 'find-place' }])
})

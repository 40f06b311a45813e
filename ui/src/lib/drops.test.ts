import { beforeEach, describe, expect, it } from 'vitest'
import type { Boot } from '../bindings/Boot'
import { commandError, Program, part } from '../testing/program'
import { Drops } from './drops.svelte'
import { notices } from './notices.svelte'
import { type CustomersView, route } from './route.svelte'
import { session } from './session.svelte'

let program: Program
let drops: Drops
let isOpen: boolean
const file = { number: 1, name: 'list.csv', problem: null }
beforeEach(async () => {
  program = new Program()
  drops = new Drops()
  isOpen = false
  Object.assign(document, { querySelector: () => (isOpen ? {} : null) })
  session.boot = part<Boot>({ active: 'a' })
  route.begin('overview')
  notices.toast = ''
  await drops.follow()
})

describe('a file', () => {
  it('shows where it can be dropped while it is over the window', async () => {
    await program.tell('file-dragged', true)
    expect(drops.over).toBe(true)
    await program.tell('file-dragged', false)
    expect(drops.over).toBe(false)
  })

  it('opens the form for many customers from anywhere', async () => {
    await program.tell('file-dropped', file)
    expect([route.place, route.customers, route.task]).toEqual([
      'customers',
      { what: 'bulk', ids: [], bulk: null },
      { what: 'dropped-file', file },
    ])
  })

  it('goes to the form that is open, which stays as it is', async () => {
    const open: CustomersView = { what: 'bulk', ids: ['7'], bulk: null }
    route.go({ place: 'customers', view: open })
    const wrong = {
      name: 'x.png',
      problem: commandError('invalid', { field: 'bulk-file', why: 'wrong-kind' }),
    }
    await program.tell('file-dropped', wrong)
    expect(route.customers).toBe(open)
    expect(route.task).toEqual({ what: 'dropped-file', file: wrong })
  })

  it('does not replace the progress of a bulk', async () => {
    route.go({ place: 'customers', view: { what: 'bulk', ids: [], bulk: 'b' } })
    await program.tell('file-dropped', file)
    expect(route.customers).toEqual({ what: 'bulk', ids: [], bulk: null })
    route.back()
    expect(route.customers).toEqual({ what: 'bulk', ids: [], bulk: 'b' })
  })

  it('goes nowhere under a dialog or without a connection, and that is said', async () => {
    isOpen = true
    await program.tell('file-dropped', file)
    expect([route.place, route.task, notices.toast !== '']).toEqual(['overview', null, true])
    isOpen = false
    notices.toast = ''
    session.boot = part<Boot>({ active: null })
    await program.tell('file-dropped', file)
    expect([route.place, route.task, notices.toast !== '']).toEqual(['overview', null, true])
  })
})

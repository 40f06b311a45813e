import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { route } from './route.svelte'
import { keepsScroll } from './scroll'

/** An element that scrolls as far as its height allows. */
class Scrolled {
  height = 1000
  /** How often it was scrolled. Each scroll makes the page lay itself out again. */
  writes = 0
  private at = 0
  get scrollTop() {
    return this.at
  }
  set scrollTop(top: number) {
    this.writes++
    this.at = Math.min(top, this.height)
  }
}
let arrived = () => {}
class Observer {
  constructor(private readonly changed: () => void) {}
  observe() {
    arrived = this.changed
  }
  disconnect() {
    arrived = () => {}
  }
}

let element: Scrolled
let end: () => void
beforeEach(() => {
  Object.assign(globalThis, { MutationObserver: Observer })
  element = new Scrolled()
  route.begin('orders')
  end = $effect.root(() => void keepsScroll('list')(element as unknown as HTMLElement))
  flushSync()
})
afterEach(() => end())

it('begins a place at its top, and puts it back when it is gone back to', () => {
  element.scrollTop = 700
  route.go({ place: 'buy' })
  flushSync()
  expect(element.scrollTop).toBe(0)
  route.back()
  flushSync()
  expect(element.scrollTop).toBe(700)
})

it('leaves a list alone that is at its top, new or gone back to', () => {
  route.go({ place: 'buy' })
  flushSync()
  route.back()
  flushSync()
  arrived()
  expect(element.writes).toBe(0)
})

it('waits for rows that come later than their view', () => {
  element.scrollTop = 700
  route.go({ place: 'buy' })
  element.height = 100
  route.back()
  flushSync()
  expect(element.scrollTop).toBe(100)
  element.height = 1000
  arrived()
  expect(element.scrollTop).toBe(700)
})

it('leaves a person alone who scrolls while rows arrive', () => {
  element.scrollTop = 700
  route.go({ place: 'buy' })
  element.height = 100
  route.back()
  flushSync()
  route.settle()
  element.scrollTop = 20
  element.height = 1000
  arrived()
  expect(element.scrollTop).toBe(20)
})

import { beforeEach, describe, expect, it } from 'vitest'
import { ignoreMoreEnters } from './burst'

describe('Enter after a dialog was closed by Enter', () => {
  let now = 0
  let heard: string[] = []
  let target = new EventTarget()
  const press = (key: string, repeat = false) =>
    target.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, repeat }))
  beforeEach(() => {
    ;[now, heard, target] = [0, [], new EventTarget()]
    ignoreMoreEnters(target as Window, () => now)
    target.addEventListener('keydown', (event) => heard.push((event as KeyboardEvent).key))
  })

  it('is ignored until it has rested for a moment', () => {
    expect([press('Enter'), heard]).toEqual([false, []])
    now = 399
    expect([press('Enter'), heard]).toEqual([false, []])
    now = 798
    expect([press('Enter'), heard]).toEqual([false, []])
    now = 1198
    expect([press('Enter'), heard]).toEqual([true, ['Enter']])
  })

  it('is not ignored after another key or a pointer', () => {
    expect([press('a'), press('Enter'), heard]).toEqual([true, true, ['a', 'Enter']])
    ignoreMoreEnters(target as Window, () => now)
    target.dispatchEvent(new Event('pointerdown'))
    expect(press('Enter')).toBe(true)
  })

  it('is ignored for as long as it is held down', () => {
    now = 5000
    expect([press('Enter', true), heard]).toEqual([false, []])
    now = 5400
    expect([press('Enter'), heard]).toEqual([true, ['Enter']])
    expect(press('Enter', true)).toBe(true)
  })
})

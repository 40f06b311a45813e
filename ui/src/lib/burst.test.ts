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

  it('is ignored for a moment, and other keys are not', () => {
    expect([press('Enter'), press('a')]).toEqual([false, true])
    now = 399
    expect([press('Enter'), heard]).toEqual([false, ['a']])
    now = 400
    expect([press('Enter'), heard]).toEqual([true, ['a', 'Enter']])
  })

  it('is ignored for as long as it is held down', () => {
    now = 5000
    expect([press('Enter', true), press('Enter'), heard]).toEqual([false, true, ['Enter']])
    expect(press('Enter', true)).toBe(true)
  })
})

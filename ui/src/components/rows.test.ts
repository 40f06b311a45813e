import { describe, expect, test } from 'vitest'
import { Scale, WINDOW, Windows } from './rows'

describe('a scroll space that is shorter than its list', () => {
  const scale = new Scale(1_000_000, 36, 600)

  test('reaches both ends and every place between them', () => {
    expect(scale.height).toBe(8_000_000)
    expect(scale.offset(0)).toBe(0)
    expect(scale.offset(scale.height - 600)).toBeCloseTo(36_000_000 - 600, 3)
    for (const place of [0, 1, 250_000, 500_000, 999_983])
      expect(scale.offset(scale.scrolled(place * 36))).toBeCloseTo(place * 36, 3)
  })

  test('is exact when the list fits', () => {
    const short = new Scale(100, 36, 600)
    expect(short.height).toBe(3600)
    expect(short.offset(1234)).toBe(1234)
    expect(new Scale(3, 36, 600).offset(10)).toBe(0)
  })
})

test('a window is read once, with its neighbour in the direction of travel', async () => {
  const asked: number[] = []
  let arrived = 0
  const read = async (first: number) => {
    asked.push(first)
    return Array.from({ length: WINDOW }, (_, at) => first + at)
  }
  const windows = new Windows(1000, read, () => arrived++)
  windows.need(190, 230, 1)
  windows.need(190, 230, 1)
  await Promise.resolve()
  await new Promise((done) => setTimeout(done))
  expect(asked).toEqual([0, 200, 400])
  expect(arrived).toBe(3)
  expect([windows.at(0), windows.at(399), windows.at(999)]).toEqual([0, 399, undefined])
})

test('rows that came with the count are there, and nothing is read before they end', async () => {
  const asked: number[] = []
  const read = async (first: number) => {
    asked.push(first)
    return Array.from({ length: WINDOW }, (_, at) => first + at)
  }
  const windows = new Windows(1000, read, () => {}, undefined, [0, 1, 2])
  windows.need(0, 3, 1)
  expect([windows.at(2), windows.at(3), asked.length]).toEqual([2, undefined, 0])
  windows.need(0, 4, 0)
  await new Promise((done) => setTimeout(done))
  expect([windows.at(3), ...asked]).toEqual([3, 0])
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { ChartRow } from '../../bindings/ChartRow'
import type { ChartView } from '../../bindings/ChartView'
import { Program, part } from '../../testing/program'
import { Chart, type ChartData } from './chart.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const data: ChartData = { unit: 'day', rows: [], span: null, series: ['a'] }
const view = (keys: string[]) =>
  part<ChartView>({
    rows: keys.map((key) => part<ChartRow>({ key, name: '', last: key, values: ['1'] })),
    points: keys.map((_, at) => at),
    drawing: part<ChartView['drawing']>({ at: keys.map((_, at) => at * 10) }),
  })

describe('a chart', () => {
  it('shows the newest drawing, whatever comes late', async () => {
    const chart = new Chart(program.call)
    const drawn = Promise.all([chart.draw(data, 100, 50), chart.draw(data, 200, 50)])
    const [early, late] = program.held('draw_chart')
    await late?.answer(view(['2026-01-02']))
    await early?.answer(view(['2026-01-01']))
    await drawn
    expect(chart.rows.map((row) => row.key)).toEqual(['2026-01-02'])
  })

  it('stays at its point when more arrives', async () => {
    const chart = new Chart(program.call)
    program.answer('draw_chart', view(['b', 'c']))
    await chart.draw(data, 100, 50)
    chart.move(1, false)
    expect(chart.point?.key).toBe('b')
    program.answer('draw_chart', view(['a', 'b', 'c']))
    await chart.draw(data, 100, 50)
    expect([chart.point?.key, chart.at]).toEqual(['b', 1])
  })

  it('knows which row is about a time that is not over', async () => {
    const chart = new Chart(program.call)
    program.answer('draw_chart', { ...view(['a', 'b']), unfinished: true })
    await chart.draw(data, 100, 50)
    expect(chart.unfinished).toBe('b')
    program.answer('draw_chart', view(['a', 'b']))
    await chart.draw(data, 100, 50)
    expect(chart.unfinished).toBeNull()
  })

  it('shows some days alone, and the names of no days', () => {
    const chart = new Chart(program.call)
    expect(chart.part(data)).toBe(data)
    chart.zoom = ['2026-01-02', '2026-01-05']
    expect(chart.part(data).span).toEqual(['2026-01-02', '2026-01-05'])
    const bars = { ...data, unit: null }
    expect(chart.part(bars)).toBe(bars)
  })

  it('keeps the drawing when another cannot be made', async () => {
    const chart = new Chart(program.call)
    program.answer('draw_chart', view(['a']))
    await chart.draw(data, 100, 50)
    program.refuse('draw_chart', 'internal')
    await chart.draw(data, 100, 50)
    expect([chart.error?.code, chart.rows.length]).toEqual(['internal', 1])
  })

  it('copies its table as its file has it', async () => {
    const chart = new Chart(program.call)
    program
      .answer('draw_chart', view(['2026-01-02']))
      .answer('copy_text', null)
      .answer('export_table', '/a.csv')
    await chart.draw(data, 100, 50)
    await chart.copy('use', ['Day', 'a, MB'])
    expect(program.last('copy_text')).toBe('Day\ta, MB\n2026-01-02\t1')
    await chart.save('csv', 'use', ['Day', 'a, MB'])
    expect(program.last('export_table')).toMatchObject({
      kind: 'csv',
      name: 'use',
      rows: [['2026-01-02', '1']],
    })
  })

  it('chooses a range from the first step on', async () => {
    const chart = new Chart(program.call)
    program.answer('draw_chart', view(['a', 'b', 'c']))
    await chart.draw(data, 100, 50)
    chart.move(1, true)
    chart.move(1, true)
    expect(chart.range).toEqual([0, 1])
    chart.clear()
    expect([chart.range, chart.nearest(14)]).toEqual([null, 1])
  })
})

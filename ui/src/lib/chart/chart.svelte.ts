/** A chart: drawn by the program, looked at by pointer and keys. */
import type { ChartAsked } from '../../bindings/ChartAsked'
import type { ChartRow } from '../../bindings/ChartRow'
import type { ChartUnit } from '../../bindings/ChartUnit'
import type { ChartView } from '../../bindings/ChartView'
import type { CommandError } from '../../bindings/CommandError'
import { app } from '../app.svelte'
import { t } from '../i18n.svelte'
import { asCommandError, call } from '../ipc'
import { asPng } from './picture'

export type ChartData = {
  unit: ChartUnit | null
  rows: ChartRow[]
  span: [string, string] | null
  /** Their names, in the order of the values. */
  series: string[]
}

export class Chart {
  view = $state.raw<ChartView | null>(null)
  error = $state<CommandError | null>(null)
  asTable = $state(false)
  /** The point under the crosshair. */
  at = $state<number | null>(null)
  /** Where a range was begun. */
  from = $state<number | null>(null)
  private asked = 0

  /** Everything, for the table; `points` are those of the picture. */
  readonly rows = $derived(this.view?.rows ?? [])
  readonly points = $derived((this.view?.points ?? []).flatMap((at) => this.rows[at] ?? []))
  readonly point = $derived(this.at === null ? null : (this.points[this.at] ?? null))
  /** The chosen range, in order. */
  readonly range = $derived.by((): [number, number] | null => {
    const { from, at } = this
    return from === null || at === null || from === at ? null : [Math.min(from, at), Math.max(from, at)]
  })

  async draw(data: ChartData, width: number, height: number): Promise<void> {
    const asked = ++this.asked
    const { unit, rows, span, series } = data
    const request: ChartAsked = {
      unit,
      rows,
      span,
      series: series.length,
      rest: t('chart.rest'),
      width: Math.round(width),
      height,
    }
    try {
      const view = await call('draw_chart', request)
      if (asked !== this.asked) return
      // Where the reader is stays, when more arrives.
      const [at, from] = [this.at, this.from].map((place) =>
        place === null ? undefined : this.points[place]?.key,
      )
      this.view = view
      this.error = null
      this.at = this.placeOf(at)
      this.from = this.placeOf(from)
    } catch (thrown) {
      if (asked === this.asked) this.error = asCommandError(thrown)
    }
  }

  private placeOf(key: string | undefined): number | null {
    const place = key === undefined ? -1 : this.points.findIndex((point) => point.key === key)
    return place < 0 ? null : place
  }

  /** The point nearest to a place along the chart, CSS pixels. */
  nearest(place: number): number | null {
    const places = this.view?.drawing.at ?? []
    let best: number | null = null
    for (const [index, at] of places.entries()) {
      if (best === null || Math.abs(at - place) < Math.abs((places[best] ?? 0) - place)) best = index
    }
    return best
  }

  /** Moves the crosshair; with `extend` the range follows it. */
  move(by: number, extend: boolean): void {
    const last = this.points.length - 1
    if (last < 0) return
    const now = this.at
    if (extend) this.from ??= now ?? (by > 0 ? 0 : last)
    else this.from = null
    // The first step goes to the end that it points away from; a step over everything to the other one.
    const begin = by > 0 ? -1 : last + 1
    this.at = Math.min(last, Math.max(0, (now ?? begin) + by))
  }

  clear(): void {
    this.at = null
    this.from = null
  }

  async save(kind: 'svg' | 'png' | 'csv', name: string, columns: string[]): Promise<void> {
    const { view } = this
    if (!view) return
    try {
      const path = await this.saved(kind, name, columns, view)
      app.notify(t('export.saved', { path }))
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  private async saved(
    kind: 'svg' | 'png' | 'csv',
    name: string,
    columns: string[],
    view: ChartView,
  ): Promise<string> {
    const { svg, plot } = view.drawing
    if (kind === 'svg') return call('save_chart', { kind, name, svg })
    if (kind === 'png') {
      const box = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)
      const [width, height] = box ? [Number(box[1]) / 2, Number(box[2]) / 2] : [plot.width, plot.height]
      return call('save_chart', { kind, name, bytes: await asPng(svg, width, height) })
    }
    return call('export_table', {
      name,
      kind,
      columns: columns.map((label, index) => ({ label, number: index > 0 })),
      rows: view.rows.map((point) => [point.name || point.key, ...point.values]),
    })
  }
}

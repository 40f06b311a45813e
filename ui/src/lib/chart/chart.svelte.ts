/** A chart, drawn by the program and explored with pointer and keys. */
import type { ChartRequest } from '../../bindings/ChartRequest'
import type { ChartRow } from '../../bindings/ChartRow'
import type { ChartUnit } from '../../bindings/ChartUnit'
import type { ChartView } from '../../bindings/ChartView'
import { Export } from '../export.svelte'
import { t } from '../i18n.svelte'
import type { Call } from '../ipc'
import { Resource } from '../resource.svelte'
import type { Sheet } from '../sheet'
import { asPng } from './picture'

export type ChartData = {
  unit: ChartUnit | null
  rows: ChartRow[]
  span: [string, string] | null
  /** The names of the series, in the order of the values. */
  series: string[]
}

export class Chart {
  private readonly drawn = new Resource<ChartView | null>(null, { quiet: true })
  readonly view = $derived(this.drawn.value)
  private readonly written: Export
  readonly error = $derived.by(() => this.written.file.error ?? this.drawn.error)
  asTable = $state(false)
  /** The first and last day that are shown alone; null: the chart shows all its days. */
  zoom = $state.raw<[string, string] | null>(null)
  /** The point under the crosshair; null: none. */
  at = $state<number | null>(null)
  /** The point where a range was begun; null: none was. */
  from = $state<number | null>(null)

  /** All rows, for the table; `points` are those in the picture. */
  readonly rows = $derived(this.view?.rows ?? [])
  readonly points = $derived((this.view?.points ?? []).flatMap((at) => this.rows[at] ?? []))
  /** The key of the row about a time that is not over yet; null: none is. */
  readonly unfinished = $derived(this.view?.unfinished ? (this.rows.at(-1)?.key ?? null) : null)
  readonly point = $derived(this.at === null ? null : (this.points[this.at] ?? null))
  /** The chosen range, from first to last; null: none. */
  readonly range = $derived.by((): [number, number] | null => {
    const { from, at } = this
    return from === null || at === null || from === at ? null : [Math.min(from, at), Math.max(from, at)]
  })

  constructor(private readonly call: Call) {
    this.written = new Export(call)
  }

  /** Returns the data with the days that are shown alone. Rows outside the span are not drawn. */
  part(data: ChartData): ChartData {
    return data.unit && this.zoom ? { ...data, span: this.zoom } : data
  }

  async draw(data: ChartData, width: number, height: number): Promise<void> {
    const { unit, rows, span, series } = data
    const request: ChartRequest = {
      unit,
      rows,
      span,
      series: series.length,
      rest: t('chart.rest'),
      width: Math.round(width),
      height,
    }
    let places: (string | undefined)[] = []
    await this.drawn.ask(
      async () => {
        const view = await this.call('draw_chart', request)
        places = [this.at, this.from].map((at) => (at === null ? undefined : this.points[at]?.key))
        return view
      },
      () => {
        this.written.file.error = null
        // Keep the crosshair where it is when more arrives.
        const [at, from] = places
        this.at = this.placeOf(at)
        this.from = this.placeOf(from)
      },
    )
  }

  private placeOf(key: string | undefined): number | null {
    const place = key === undefined ? -1 : this.points.findIndex((point) => point.key === key)
    return place < 0 ? null : place
  }

  /** Returns the point nearest to a position along the chart, in CSS pixels. */
  nearest(place: number): number | null {
    const places = this.view?.drawing.at ?? []
    let best: number | null = null
    for (const [index, at] of places.entries()) {
      if (best === null || Math.abs(at - place) < Math.abs((places[best] ?? 0) - place)) best = index
    }
    return best
  }

  /** Moves the crosshair; with `extend` the range grows with it. */
  move(by: number, extend: boolean): void {
    const last = this.points.length - 1
    if (last < 0) return
    const now = this.at
    if (extend) this.from ??= now ?? (by > 0 ? 0 : last)
    else this.from = null
    // The first step starts from the end that it moves away from; a step over everything goes to the opposite end.
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
    await this.written.run(() => this.saved(kind, name, columns, view))
  }

  private async saved(
    kind: 'svg' | 'png' | 'csv',
    name: string,
    columns: string[],
    view: ChartView,
  ): Promise<string> {
    const { svg, plot } = view.drawing
    if (kind === 'svg') return this.call('save_chart', { kind, name, svg })
    if (kind === 'png') {
      const box = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)
      const [width, height] = box ? [Number(box[1]) / 2, Number(box[2]) / 2] : [plot.width, plot.height]
      return this.call('save_chart', { kind, name, bytes: await asPng(svg, width, height) })
    }
    return this.call('export_table', { kind, ...sheet(name, columns, view) })
  }

  /** Copies the table with amounts in MB, as its file has them. */
  async copy(name: string, columns: string[]): Promise<void> {
    const { view } = this
    if (!view) return
    await this.written.copy(() => sheet(name, columns, view))
  }
}

function sheet(name: string, columns: string[], view: ChartView): Sheet {
  return {
    name,
    columns: columns.map((label, index) => ({ label, number: index > 0 })),
    rows: view.rows.map((point) => [point.name || point.key, ...point.values]),
  }
}

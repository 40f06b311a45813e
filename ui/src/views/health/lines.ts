/** The lines of the health card: each fact with its value, how it is known, and the evidence. */
import type { HealthView } from '../../bindings/HealthView'
import type { Learned } from '../../bindings/Learned'
import type { Polarity } from '../../bindings/Polarity'
import type { TokenSeen } from '../../bindings/TokenSeen'
import { decimal, moment } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { zoneName } from '../connections/zones'

/** How a value is known: the interface says it, an answer showed it, it is only assumed, or it is not known at all. */
export type Basis = 'documented' | 'learned' | 'assumed' | 'unknown'

/** What showed a value: an operation in Activity, an order, or the form of the connection with this id. */
export type Evidence = { what: 'operation' | 'order' | 'connection'; id: string }

export type Line = {
  id: string
  name: string
  value: string
  basis: Basis
  /** The evidence and its time, or why it is assumed. */
  note: string
  /** What the note speaks of, if it can be opened. */
  evidence?: Evidence
  /** What deserves a look. */
  warning?: string
  tone?: 'bad' | 'look' | 'quiet'
}

/** Facts that belong together. `folded`: closed at first, because they are for those who help the agent. */
type Group = { title: string; lines: Line[]; folded?: boolean }

/** The largest page of the usage report, as the interface says. */
const REPORT_ROWS = '2000'
/** Rows to ask a list for that has no stated maximum. */
const ASKED_ROWS = '100'
/** Clocks this close, in ms, count as the same: the vendor may tell whole seconds. */
const SAME_CLOCK = 1500
/** Clocks further apart than this, in ms, deserve a look. */
const FAR_CLOCK = 120_000

export function groups(view: HealthView): Group[] {
  return [
    { title: t('health.group-line'), lines: [reach(view), clockLine(view)] },
    { title: t('health.group-access'), lines: [staticToken(view), agentToken(view)] },
    { title: t('health.group-counts'), lines: [gb(view), zone(view), polarity(view)] },
  ]
}

/** What only tells how the vendor's service behaves. */
export function details(view: HealthView): Group {
  const lines = [latency(view), lag(view), word(view), pageSize(view), reportRows()]
  return { title: t('health.group-details'), lines, folded: true }
}

/** A value that is not known yet. */
function untold(id: string, name: string, note = ''): Line {
  return { id, name, value: t('health.not-known'), basis: 'unknown', note, tone: 'quiet' }
}

/** A duration in the largest unit that says enough. 0 is shown as 1 ms. */
export function duration(millis: number): string {
  const size = Math.max(1, Math.abs(millis))
  if (size < 1000) return t('health.ms', { count: size })
  if (size < 60_000)
    return t('health.seconds', { count: decimal((size / 1000).toFixed(size < 10_000 ? 1 : 0)) })
  if (size < 3_600_000) return t('health.minutes', { count: Math.round(size / 60_000) })
  return t('health.hours', { count: Math.round(size / 3_600_000) })
}

function reach({ reach }: HealthView): Line {
  const [id, name] = ['reach', t('health.reach')]
  if (!reach) return untold(id, name)
  const [value, tone] = reach.reached ? [t('health.reached')] : [t('health.not-reached'), 'bad' as const]
  return { id, name, value, basis: 'learned', note: t('health.since', { time: moment(reach.since) }), tone }
}

function latency({ latency }: HealthView): Line {
  const [id, name] = ['latency', t('health.latency')]
  if (!latency) return untold(id, name)
  return {
    id,
    name,
    value: duration(latency.ms),
    basis: 'learned',
    note: t('health.latency-note', { time: moment(latency.at) }),
  }
}

function clockLine({ clock, connection }: HealthView): Line {
  const [id, name] = ['clock', t('health.clock')]
  if (!clock) return untold(id, name)
  const apart = duration(clock.difference)
  const isSame = Math.abs(clock.difference) < SAME_CLOCK
  const value = isSame
    ? t('health.clock-same')
    : t(clock.difference > 0 ? 'health.clock-ahead' : 'health.clock-behind', { apart })
  const isFar = Math.abs(clock.difference) > FAR_CLOCK && connection !== 'practice'
  const note = t(`health.clock-${clock.source}`, { time: moment(clock.at) })
  return {
    id,
    name,
    value,
    basis: 'learned',
    note,
    ...(isFar ? { tone: 'look', warning: t('health.clock-far') } : {}),
  }
}

function staticToken({ hasStaticToken, staticToken }: HealthView): Line {
  return token('static-token', t('health.static-token'), hasStaticToken, staticToken)
}

function agentToken({ hasAgentToken, agentToken }: HealthView): Line {
  return token('agent-token', t('connection.agent-token'), hasAgentToken, agentToken)
}

function token(id: string, name: string, isSaved: boolean, seen: TokenSeen | null): Line {
  if (!isSaved) return { ...untold(id, name), value: t('health.no-token') }
  if (!seen) return { ...untold(id, name), value: t('health.token-untried') }
  const value = t(seen.accepted ? 'health.accepted' : 'health.refused')
  const note = t('health.since', { time: moment(seen.since) })
  return { id, name, value, basis: 'learned', note, ...(seen.accepted ? {} : { tone: 'bad' }) }
}

function pageSize({ pageSize }: HealthView): Line {
  const [id, name] = ['page-size', t('health.page-size')]
  if (!pageSize) return { id, name, value: ASKED_ROWS, basis: 'assumed', note: t('health.page-assumed') }
  const { rows, asked, limited, at } = pageSize
  const told = { rows, asked, time: moment(at) }
  if (limited)
    return { id, name, value: String(rows), basis: 'learned', note: t('health.page-limited', told) }
  return { id, name, value: ASKED_ROWS, basis: 'assumed', note: t('health.page-fits', told) }
}

function reportRows(): Line {
  return {
    id: 'report-rows',
    name: t('health.report-rows'),
    value: decimal(REPORT_ROWS),
    basis: 'documented',
    note: t('health.report-rows-note'),
  }
}

/** How a value is known that a transfer showed. */
function byTransfer({ operation, at }: Learned): Pick<Line, 'basis' | 'note' | 'evidence'> {
  const note = t('health.by-transfer', { time: moment(at) })
  return { basis: 'learned', note, evidence: { what: 'operation', id: operation } }
}

/** A value that the person set, or left as it was. Practice has no settings. */
function asSet({ connection }: HealthView): Pick<Line, 'basis' | 'note' | 'evidence'> {
  const evidence: Evidence = { what: 'connection', id: connection }
  return { basis: 'assumed', note: t('health.as-set'), ...(connection === 'practice' ? {} : { evidence }) }
}

function gb(view: HealthView): Line {
  const { gbFactor, learned } = view
  const [id, name] = ['gb', t('health.gb')]
  const mb = (factor: number) => t('connection.mb', { mb: decimal(String(factor)) })
  if (!learned) return { id, name, value: mb(gbFactor), ...asSet(view) }
  return {
    id,
    name,
    value: mb(learned.factor),
    ...byTransfer(learned),
  }
}

function zone(view: HealthView): Line {
  const { zone, zoneSeen } = view
  const [id, name] = ['zone', t('health.zone')]
  if (!zoneSeen) return { id, name, value: zoneName(zone), ...asSet(view) }
  const note = t('health.by-order', { order: zoneSeen.orderNo, time: moment(zoneSeen.at) })
  const evidence = { what: 'order', id: zoneSeen.orderNo } as const
  const line = { id, name, value: zoneName(zoneSeen.minutes), basis: 'learned', note, evidence } as const
  return zoneSeen.minutes === zone
    ? line
    : { ...line, tone: 'look', warning: t('health.zone-differs', { zone: zoneName(zone) }) }
}

function polarity(view: HealthView): Line {
  const { polarity, polaritySeen } = view
  const [id, name] = ['polarity', t('health.polarity')]
  if (polaritySeen) {
    const note = t('health.by-check', { time: moment(polaritySeen.at) })
    const evidence = { what: 'operation', id: polaritySeen.operation } as const
    const value = polarityWords(polaritySeen.polarity)
    const line = { id, name, value, basis: 'learned', note, evidence } as const
    return polaritySeen.polarity === polarity
      ? line
      : { ...line, tone: 'look', warning: t('health.polarity-differs') }
  }
  const value = polarityWords(polarity)
  if (polarity === 'one-is-active')
    return { id, name, value, basis: 'documented', note: t('health.polarity-note') }
  return { id, name, value, ...asSet(view) }
}

function word({ learned }: HealthView): Line {
  const [id, name] = ['word', t('health.word')]
  if (!learned?.word) return untold(id, name, t('health.first-transfer'))
  return {
    id,
    name,
    value: learned.word,
    ...byTransfer(learned),
  }
}

function lag({ learned }: HealthView): Line {
  const [id, name] = ['lag', t('health.lag')]
  if (!learned) return untold(id, name, t('health.first-transfer'))
  return {
    id,
    name,
    value: t('health.within', { time: duration(learned.lag) }),
    ...byTransfer(learned),
  }
}

/** What 0 and 1 do. */
export function polarityWords(polarity: Polarity): string {
  return t(polarity === 'one-is-active' ? 'health.one-enables' : 'health.zero-enables')
}

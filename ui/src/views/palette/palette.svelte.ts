/** Everything that can be reached by typing: pages, actions with their object, orders, customers, buyers, places. */
import type { PaletteFound } from '../../bindings/PaletteFound'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { SavedPurchase } from '../../bindings/SavedPurchase'
import { decimal, named, shortMoment } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import { operations } from '../../lib/operations.svelte'
import { Resource } from '../../lib/resource.svelte'
import { type Access, route } from '../../lib/route.svelte'
import { session } from '../../lib/session.svelte'
import { Buyers } from '../ips/buyers.svelte'
import { actions, pages } from './actions'
import { type Entry, matching } from './entry'
import { type Phrase, readPhrase } from './phrase'
import { type Recent, Recents } from './recents.svelte'

/** The most customers, orders, buyers and configurations shown; the program finds all. */
const MOST = 8
/** The most candidates for the customer or the place of a phrase. */
const CANDIDATES = 6
/** The most places offered for a text that is no phrase. */
const PLACES = 3

type Answer = { text: string; found: PaletteFound; said: Entry[]; saved: Entry[] }
type Named = { customerId: string; userName: string }

export class Palette {
  text = $state('')
  /** The saved configurations, read once for as long as the palette is open. */
  private saved: Promise<SavedPurchase[]> | null = null
  private readonly finding = new Resource<Answer | null>(null, { quiet: true })
  /** What was found for the text as it is now. */
  private readonly answer = $derived(
    this.finding.value?.text === this.text.trim() ? this.finding.value : null,
  )
  readonly busy = $derived(this.finding.busy)
  readonly entries = $derived.by<Entry[]>(() => {
    const text = this.text.trim()
    if (!text) return [...this.recent(), ...pages(), ...actions()]
    const { said, found, saved } = this.answer ?? { said: [], found: null, saved: [] }
    return [
      ...said.filter((one) => one.group === 'said'),
      ...matching(pages(), text),
      ...matching(actions(), text),
      ...(found ? [...this.customersOf(found), ...this.buyersOf(found), ...this.ordersOf(found)] : []),
      ...matching(saved, text).slice(0, MOST),
      ...said.filter((one) => one.group === 'places'),
    ]
  })

  constructor(
    private readonly call: Call,
    private readonly recents = new Recents(),
  ) {}

  private async configurations(): Promise<SavedPurchase[]> {
    if (!session.buysHere) return []
    return this.call('saved_purchases', null).catch(() => {
      this.saved = null
      return []
    })
  }

  /** Finds what the text names. The rest works without it. */
  async find(): Promise<void> {
    const text = this.text.trim()
    if (!text || !session.boot?.active) return
    this.saved ??= this.configurations()
    await this.finding.ask(async () => {
      const [found, said, saved] = await Promise.all([
        this.call('find_anything', { text, most: MOST }),
        this.meant(readPhrase(text), text),
        this.saved,
      ])
      return { text, found, said, saved: (saved ?? []).map(useSaved) }
    })
  }

  /** Returns what a phrase may mean, one entry for each candidate. It opens a form and sends nothing. */
  private async meant(phrase: Phrase | null, text: string): Promise<Entry[]> {
    if (phrase?.what === 'move') {
      const { customers } = await this.call('find_anything', { text: phrase.name, most: CANDIDATES })
      return customers.map((customer) => this.move(phrase, customer))
    }
    if (phrase?.what === 'access') {
      const { customers } = await this.call('find_anything', { text: phrase.name, most: CANDIDATES })
      return customers.map((customer) => this.access(phrase.change, customer))
    }
    if (phrase?.what === 'hand-over') return this.handOvers(phrase.order)
    if (phrase && !phrase.place) return [this.buy(phrase.quantity, null)]
    const place = phrase?.place ?? text
    if (place.length < 2) return []
    const hits = await this.call('search_places', place)
    return phrase
      ? hits.slice(0, CANDIDATES).map((hit) => this.buy(phrase.quantity, hit))
      : hits.slice(0, PLACES).map((hit) => ({ ...this.buy('', hit), group: 'places' }))
  }

  private move({ direction, gb }: Extract<Phrase, { what: 'move' }>, customer: Named): Entry {
    const { customerId, userName } = customer
    const name = userName || customerId
    // A number alone is GB, as in the dialog.
    const amount = /\d$/.test(gb) ? `${gb} GB` : gb
    return {
      id: `said-${direction}-${customerId}`,
      group: 'said',
      label: gb
        ? t(`palette.said-${direction}`, { gb: amount, name })
        : t(`customers.${direction}-of`, { name }),
      hint: customerId,
      run: () => {
        this.recents.add({ what: 'customer', id: customerId, name })
        const view = { what: 'page', customer: customerId } as const
        route.go({ place: 'customers', view }, { what: 'move', direction, customerId, userName, gb })
      },
    }
  }

  private access(change: Access, { customerId, userName }: Named): Entry {
    const name = userName || customerId
    return {
      id: `said-${change}-${customerId}`,
      group: 'said',
      label: t(change === 'password' ? 'password.title' : `operation.status-${change}d`, { name }),
      hint: customerId,
      run: () => {
        this.recents.add({ what: 'customer', id: customerId, name })
        const view = { what: 'page', customer: customerId } as const
        route.go({ place: 'customers', view }, { what: 'access', change, customerId })
      },
    }
  }

  /** Offers the orders that a text finds, without one the newest: their IPs can be handed over. */
  private async handOvers(text: string): Promise<Entry[]> {
    const orders = text
      ? (await this.call('find_anything', { text, most: CANDIDATES })).orders.map(({ orderNo }) => orderNo)
      : operations.all.flatMap(({ order }) => order?.orderNo ?? []).slice(0, CANDIDATES)
    return orders.map((order) => ({
      id: `said-hand-over-${order}`,
      group: 'said',
      label: t('palette.said-hand-over', { order }),
      run: () => route.go({ place: 'orders', order }, { what: 'hand-over', order }),
    }))
  }

  private buy(quantity: string, hit: PlaceHit | null): Entry {
    const place = hit ? named(hit) : ''
    const values = { count: Number(quantity || 2), number: decimal(quantity || '0'), place }
    const key = quantity ? (hit ? 'said-buy' : 'said-buy-count') : 'said-buy-place'
    return {
      id: `said-buy-${hit ? `${hit.level}-${hit.countryCode}-${hit.stateId}-${hit.cityId}-${hit.continentId}` : 'anywhere'}`,
      group: 'said',
      label: t(`palette.${key}`, values),
      ...(hit ? { hint: [t(`buy.level.${hit.level}`), hit.withinEn].filter(Boolean).join(' · ') } : {}),
      run: () => route.go({ place: 'buy' }, { what: 'buy-at', hit, quantity }),
    }
  }

  private recent(): Entry[] {
    return this.recents.with(operations.all).map((one) => ({ ...this.open(one), group: 'recent' }))
  }

  private customersOf({ customers, allCustomers }: PaletteFound): Entry[] {
    const all = customers.map(({ customerId, userName }) => ({
      ...this.open({ what: 'customer', id: customerId, name: userName || customerId }),
      hint: customerId,
    }))
    return allCustomers > customers.length ? [...all, this.list(allCustomers)] : all
  }

  /** Leads to the list with all customers found. */
  private list(count: number): Entry {
    const search = this.text.trim()
    return {
      id: 'customers-all',
      group: 'customers',
      label: t('palette.all-customers', { number: decimal(String(count)) }),
      run: () =>
        route.go({ place: 'customers', view: { what: 'list' } }, { what: 'search-customers', search }),
    }
  }

  private buyersOf({ buyers, allBuyers }: PaletteFound): Entry[] {
    const all = buyers.map(({ id, name, contact }) => ({
      ...this.open({ what: 'buyer', id: String(id), name }),
      hint: contact,
    }))
    return allBuyers > buyers.length ? [...all, this.people(allBuyers)] : all
  }

  /** Leads to the list with all buyers found. */
  private people(count: number): Entry {
    const text = this.text.trim()
    return {
      id: 'buyers-all',
      group: 'buyers',
      label: t('palette.all-buyers', { number: decimal(String(count)) }),
      run: () => {
        kept.of(Buyers, this.call).search = text
        route.go({ place: 'ips', view: { what: 'buyers' } })
      },
    }
  }

  private ordersOf({ orders, allOrders }: PaletteFound): Entry[] {
    const all = orders.map(({ orderNo, since, ip }) => ({
      ...this.open({ what: 'order', id: orderNo, name: orderNo }),
      hint: [ip, shortMoment(since)].filter(Boolean).join(' · '),
    }))
    return allOrders > orders.length ? [...all, this.book(allOrders)] : all
  }

  /** Leads to the order book with all orders found. */
  private book(count: number): Entry {
    const text = this.text.trim()
    return {
      id: 'orders-all',
      group: 'orders',
      label: t('palette.all-orders', { number: decimal(String(count)) }),
      run: () => void this.showOrders(text, count),
    }
  }

  private async showOrders(text: string, most: number): Promise<void> {
    // The text still finds most of them without this.
    const found = await this.call('find_anything', { text, most }).catch(() => null)
    const orders = found?.orders.map(({ orderNo }) => orderNo) ?? []
    route.go({ place: 'orders', order: null }, { what: 'search-orders', search: text, orders })
  }

  private open(recent: Recent): Entry {
    const { what, id, name } = recent
    return {
      id: `${what}-${id}`,
      group: `${what}s`,
      label: name,
      run: () => {
        this.recents.add(recent)
        if (what === 'order') route.go({ place: 'orders', order: id })
        else if (what === 'buyer') route.go({ place: 'ips', view: { what: 'buyer', id: Number(id) } })
        else route.go({ place: 'customers', view: { what: 'page', customer: id } })
      },
    }
  }
}

/** Puts a saved configuration into Buy, where it gets a price. */
function useSaved(saved: SavedPurchase): Entry {
  return {
    id: `saved-${saved.id}`,
    group: 'saved',
    label: saved.name,
    run: () => route.go({ place: 'buy' }, { what: 'buy-saved', saved }),
  }
}

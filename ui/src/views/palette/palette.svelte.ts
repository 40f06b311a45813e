/** Everything that can be reached by typing: pages, orders, customers, actions. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Customer } from '../../bindings/Customer'
import { moment } from '../../lib/format'
import { language, t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { route } from '../../lib/route.svelte'
import { session } from '../../lib/session.svelte'

export type Entry = {
  id: string
  group: 'pages' | 'actions' | 'orders' | 'customers'
  label: string
  hint?: string
  run: () => void
}

const PAGES = ['overview', 'buy', 'orders', 'ips', 'traffic', 'customers', 'activity', 'settings'] as const
/** The most customers offered. Their own page finds all. */
const CUSTOMERS = 300
const THEMES = ['light', 'dark', 'system'] as const

export class Palette {
  private readonly orders = new Resource<BookedOrder[]>([])
  private readonly customers = new Resource<Customer[]>([])
  readonly entries = $derived([
    ...this.pages(),
    ...this.actions(),
    ...this.orderEntries(),
    ...this.customerEntries(),
  ])

  constructor(private readonly call: Call) {}

  /** Reads orders and customers. The rest works without them. */
  async load(): Promise<void> {
    if (!session.boot?.active) return
    await this.orders.ask(() => this.call('list_orders', null))
    await this.customers.ask(async () => (await this.call('list_customers', false)).slice(0, CUSTOMERS))
  }

  private customerEntries(): Entry[] {
    return this.customers.value.map((customer) => ({
      id: `customer-${customer.customerId}`,
      group: 'customers',
      label: customer.userName || customer.customerId,
      hint: customer.customerId,
      run: () => {
        const view = { what: 'page', customer: customer.customerId } as const
        route.go({ place: 'customers', view })
      },
    }))
  }

  private pages(): Entry[] {
    const open = PAGES.filter((page) => page === 'settings' || session.boot?.active)
    return open.map((page) => ({
      id: `page-${page}`,
      group: 'pages',
      label: t(`frame.${page}`),
      run: () => route.go({ place: page }),
    }))
  }

  private actions(): Entry[] {
    const { boot } = session
    if (!boot) return []
    const other = language() === 'en' ? 'zh-CN' : 'en'
    const themes = THEMES.filter((theme) => theme !== boot.settings.theme)
    return [
      ...(boot.practice
        ? []
        : [this.action('practice', t('welcome.practice'), () => void session.open('practice'))]),
      ...boot.connections
        .filter((one) => one.id !== boot.active)
        .map((one) =>
          this.action(
            `open-${one.id}`,
            t('palette.open', { name: one.name }),
            () => void session.open(one.id),
          ),
        ),
      this.action(
        'language',
        t('palette.language', { name: t(`languages.${other}`) }),
        () => void session.saveSettings({ ...boot.settings, language: other }),
      ),
      ...themes.map((theme) =>
        this.action(
          `theme-${theme}`,
          t('palette.theme', { name: t(`themes.${theme}`) }),
          () => void session.saveSettings({ ...boot.settings, theme }),
        ),
      ),
      ...(boot.active
        ? [
            this.action('new-customer', t('palette.new-customer'), () => {
              const view = { what: 'list' } as const
              route.go({ place: 'customers', view }, { what: 'create-customer' })
            }),
            this.action('bulk', t('palette.bulk'), () => {
              route.go({ place: 'customers', view: { what: 'bulk', ids: [], bulk: null } })
            }),
          ]
        : []),
      this.action('keys', t('keys.title'), () => (route.dialog = 'keys')),
    ]
  }

  private action(id: string, label: string, run: () => void): Entry {
    return { id: `action-${id}`, group: 'actions', label, run }
  }

  private orderEntries(): Entry[] {
    return this.orders.value.map((order) => ({
      id: `order-${order.orderNo}`,
      group: 'orders',
      label: order.orderNo,
      hint: moment(order.since),
      run: () => {
        route.go({ place: 'orders', order: order.orderNo })
      },
    }))
  }
}

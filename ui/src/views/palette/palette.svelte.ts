/** Everything that can be reached by typing: pages, orders, actions. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Customer } from '../../bindings/Customer'
import { app } from '../../lib/app.svelte'
import { moment } from '../../lib/format'
import { language, t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export type Entry = {
  id: string
  group: 'pages' | 'actions' | 'orders' | 'customers'
  label: string
  hint?: string
  run: () => void
}

const PAGES = ['overview', 'buy', 'orders', 'traffic', 'customers', 'activity', 'settings'] as const
/** Customers that are offered: more are found on their page. */
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

  /** Orders and customers come when they are read; without them the rest is there. */
  async load(): Promise<void> {
    if (!app.boot?.active) return
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
        app.place = 'customers'
        app.customersWanted = { customer: customer.customerId }
      },
    }))
  }

  private pages(): Entry[] {
    const open = PAGES.filter((page) => page === 'settings' || app.boot?.active)
    return open.map((page) => ({
      id: `page-${page}`,
      group: 'pages',
      label: t(`frame.${page}`),
      run: () => (app.place = page),
    }))
  }

  private actions(): Entry[] {
    const { boot } = app
    if (!boot) return []
    const other = language() === 'en' ? 'zh-CN' : 'en'
    const themes = THEMES.filter((theme) => theme !== boot.settings.theme)
    return [
      ...(boot.practice
        ? []
        : [this.action('practice', t('welcome.practice'), () => void app.openConnection('practice'))]),
      ...boot.connections
        .filter((one) => one.id !== boot.active)
        .map((one) =>
          this.action(
            `open-${one.id}`,
            t('palette.open', { name: one.name }),
            () => void app.openConnection(one.id),
          ),
        ),
      this.action(
        'language',
        t('palette.language', { name: t(`languages.${other}`) }),
        () => void app.saveSettings({ ...boot.settings, language: other }),
      ),
      ...themes.map((theme) =>
        this.action(
          `theme-${theme}`,
          t('palette.theme', { name: t(`themes.${theme}`) }),
          () => void app.saveSettings({ ...boot.settings, theme }),
        ),
      ),
      ...(boot.active
        ? [
            this.action('new-customer', t('palette.new-customer'), () => {
              app.place = 'customers'
              app.customersWanted = { dialog: 'create' }
            }),
            this.action('bulk', t('palette.bulk'), () => {
              app.place = 'customers'
              app.customersWanted = { dialog: 'bulk' }
            }),
          ]
        : []),
      this.action('keys', t('keys.title'), () => (app.dialog = 'keys')),
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
        app.place = 'orders'
        app.shownOrder = order.orderNo
      },
    }))
  }
}

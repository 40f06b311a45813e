/** Files dragged over the window and dropped on it. A dropped list goes to the form for many customers. */
import type { DroppedFile } from '../bindings/DroppedFile'
import { t } from './i18n.svelte'
import { onFileDragged, onFileDropped } from './ipc'
import { isCovered } from './keys'
import { notices } from './notices.svelte'
import { route } from './route.svelte'
import { session } from './session.svelte'

export class Drops {
  /** Whether files are dragged over the window. */
  over = $state(false)

  async follow(): Promise<void> {
    await onFileDragged((over) => {
      this.over = over
    })
    await onFileDropped((file) => this.take(file))
  }

  /** Brings a file to the form. A form that is open takes it itself, so that nothing in it is lost. */
  take(file: DroppedFile): void {
    if (!session.boot?.active) {
      notices.notify(t('drop.no-connection'))
      return
    }
    if (isCovered()) {
      notices.notify(t('drop.covered'))
      return
    }
    const task = { what: 'dropped-file', file } as const
    const { place, customers } = route
    if (place === 'customers' && customers.what === 'bulk' && customers.bulk === null) route.task = task
    else route.go({ place: 'customers', view: { what: 'bulk', ids: [], bulk: null } }, task)
  }
}

export const drops = new Drops()

/** Commands and events of the program. Only this file imports @tauri-apps. */
import { invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import type { CommandError } from '../bindings/CommandError'
import type { Commands } from '../bindings/Commands'
import type { DroppedFile } from '../bindings/DroppedFile'
import type { Event } from '../bindings/Event'
import type { ExportProgress } from '../bindings/ExportProgress'
import type { ProxyTested } from '../bindings/ProxyTested'
import type { UsageProgress } from '../bindings/UsageProgress'

let calls = 0
/** The connection on screen. A call that meets another one, opened meanwhile, ends as if it were stopped. */
let connection: string | null = null

/** Says which connection the page shows from now on; null: none. */
export function showsConnection(id: string | null): void {
  connection = id
}

/** Calls a command of the list in `commands.rs`; rejects with a `CommandError`. `signal` stops the wait. */
export function call<K extends keyof Commands>(
  name: K,
  request: Commands[K][0],
  signal?: AbortSignal,
): Promise<Commands[K][1]> {
  if (!signal) return invoke(name, { request, connection })
  const number = ++calls
  signal.addEventListener('abort', () => void call('stop_call', number), { once: true })
  return invoke(name, { request, number, connection })
}

/** The type of `call`. State classes take it as a parameter, so that tests can pass their own. */
export type Call = typeof call

/** The payload of the event with this name. */
type Payload<N extends Event['name']> = Extract<Event, { name: N; payload: unknown }>['payload']

function on<N extends Event['name']>(name: N, changed: (payload: Payload<N>) => void): Promise<() => void> {
  return listen<Payload<N>>(name, (event) => changed(event.payload))
}

/** Runs `changed` whenever an operation changes. */
export function onOperationChanged(changed: () => void): Promise<() => void> {
  return on('operation-changed', changed)
}

/** Runs `changed` with the order number whenever a late order's status or number of delivered IPs changes. */
export function onOrderChanged(changed: (orderNo: string) => void): Promise<() => void> {
  return on('order-changed', changed)
}

/** Runs `changed` whenever the vendor's list of IPs, or an order that nobody had opened, was read. */
export function onIpsChanged(changed: () => void): Promise<() => void> {
  return on('ips-changed', changed)
}

/** Runs `changed` with the id of the connection whenever something else is known of its vendor. */
export function onVendorChanged(changed: (connection: string) => void): Promise<() => void> {
  return on('vendor-changed', changed)
}

/** Runs `changed` whenever more of the usage report is stored. */
export function onUsageProgress(changed: (progress: UsageProgress) => void): Promise<() => void> {
  return on('usage-progress', changed)
}

/** Runs `tested` with the result whenever one more proxy was tested. */
export function onProxyTested(tested: (one: ProxyTested) => void): Promise<() => void> {
  return on('proxy-tested', tested)
}

/** Runs `changed` with the seconds until the first waiting read is repeated; null: no read is waiting. */
export function onReadsWaiting(changed: (seconds: number | null) => void): Promise<() => void> {
  return on('reads-waiting', changed)
}

/** Runs `changed` whenever the state of the updater changes. */
export function onUpdateChanged(changed: () => void): Promise<() => void> {
  return on('update-changed', changed)
}

/** Runs `changed` whenever more of an export is written. */
export function onExportProgress(changed: (progress: ExportProgress) => void): Promise<() => void> {
  return on('export-progress', changed)
}

/** Runs `changed` whenever files begin or end to be dragged over the window. */
export function onFileDragged(changed: (over: boolean) => void): Promise<() => void> {
  return on('file-dragged', changed)
}

/** Runs `dropped` whenever something is dropped on the window. */
export function onFileDropped(dropped: (file: DroppedFile) => void): Promise<() => void> {
  return on('file-dropped', dropped)
}

/** Runs `asked` whenever the window is to close while work is under way. */
export function onCloseAsked(asked: () => void): Promise<() => void> {
  return on('close-asked', asked)
}

/** Runs `chosen` with the id of a key whenever its item in the system's menu bar is clicked. */
export function onMenuChosen(chosen: (id: string) => void): Promise<() => void> {
  return on('menu-chosen', chosen)
}

/** Converts a thrown value to a `CommandError`. Any other value means that the bridge is broken. */
export function asCommandError(thrown: unknown): CommandError {
  if (thrown !== null && typeof thrown === 'object' && 'code' in thrown && 'details' in thrown) {
    return thrown as CommandError
  }
  const details = {
    vendorCode: null,
    vendorMessage: null,
    traceId: null,
    technical: String(thrown),
    near: null,
  }
  return { code: 'internal', details }
}

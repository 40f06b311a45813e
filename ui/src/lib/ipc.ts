/** The only door to the program: the one import of @tauri-apps. */
import { invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import type { CommandError } from '../bindings/CommandError'
import type { Commands } from '../bindings/Commands'
import type { ExportProgress } from '../bindings/ExportProgress'
import type { UsageProgress } from '../bindings/UsageProgress'

let calls = 0

/** Calls a command of the list in `commands.rs`; rejects with a `CommandError`. `signal` stops the wait. */
export function call<K extends keyof Commands>(
  name: K,
  request: Commands[K][0],
  signal?: AbortSignal,
): Promise<Commands[K][1]> {
  if (!signal) return invoke(name, { request })
  const number = ++calls
  signal.addEventListener('abort', () => void call('stop_call', number), { once: true })
  return invoke(name, { request, number })
}

/** How state asks the program; a test hands in its own. */
export type Call = typeof call

/** Runs `changed` whenever an operation changes. */
export function onOperationChanged(changed: () => void): Promise<() => void> {
  return listen('operation-changed', changed)
}

/** Runs `changed` with the order's number whenever more of an order was delivered. */
export function onOrderChanged(changed: (orderNo: string) => void): Promise<() => void> {
  return listen<string>('order-changed', (event) => changed(event.payload))
}

/** What to show of whatever was thrown: nothing, when the person stopped waiting. */
export function failure(thrown: unknown): CommandError | null {
  const error = asCommandError(thrown)
  return error.code === 'given-up' ? null : error
}

/** Runs `changed` whenever more of the usage report is kept. */
export function onUsageProgress(changed: (progress: UsageProgress) => void): Promise<() => void> {
  return listen<UsageProgress>('usage-progress', (event) => changed(event.payload))
}

/** Runs `changed` with the seconds until the first read asks again that the vendor told to wait; null: none waits. */
export function onReadsWaiting(changed: (seconds: number | null) => void): Promise<() => void> {
  return listen<number | null>('reads-waiting', (event) => changed(event.payload))
}

/** Runs `changed` whenever something changes about a newer version of the program. */
export function onUpdateChanged(changed: () => void): Promise<() => void> {
  return listen('update-changed', changed)
}

/** Runs `changed` whenever more of an export is written. */
export function onExportProgress(changed: (progress: ExportProgress) => void): Promise<() => void> {
  return listen<ExportProgress>('export-progress', (event) => changed(event.payload))
}

/** Whatever was thrown, as a `CommandError`: a broken bridge is one too. */
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
  return { code: 'internal', field: null, details }
}

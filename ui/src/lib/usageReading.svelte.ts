/** The read of the usage report from the vendor. It goes on while the window shows other places. */
import type { UsageProgress } from '../bindings/UsageProgress'
import type { UsageState } from '../bindings/UsageState'
import { type Call, call, onUsageProgress } from './ipc'
import { Resource } from './resource.svelte'

export class UsageReading {
  /** The read. Its value is the state of the store after the last one that reached the end. */
  readonly work = new Resource<UsageState | null>(null)
  progress = $state.raw<UsageProgress | null>(null)
  /** How much is read, from 0 to 1. */
  readonly part = $derived(
    this.progress && this.progress.total > 0 ? Math.min(1, this.progress.rows / this.progress.total) : 0,
  )
  /** Counts reads that have ended: figures made from the store follow it. */
  ended = $state(0)
  /** Whether the user has paused it. */
  private paused = false
  private pending: Promise<UsageState | undefined> | null = null
  private readonly followers = new Set<(progress: UsageProgress) => void>()

  constructor(private readonly call: Call) {}

  /** Reads what is new, or joins the read that is under way. A paused read stays paused until `again`. */
  read(again = false): Promise<UsageState | undefined> {
    if (this.paused && !again) return Promise.resolve(undefined)
    this.paused = false
    this.pending ??= this.run()
    return this.pending
  }

  pause(): void {
    this.paused = true
    this.pending = null
    this.work.stop()
  }

  /** Drops everything, because another account was opened. */
  forget(): void {
    this.paused = false
    this.pending = null
    this.progress = null
    this.work.drop()
    this.work.error = null
    this.work.forget(null)
  }

  /** Runs `changed` whenever more is stored. Returns a function that ends this. */
  follow(changed: (progress: UsageProgress) => void): () => void {
    this.followers.add(changed)
    return () => this.followers.delete(changed)
  }

  private async run(): Promise<UsageState | undefined> {
    // Set before anything is waited for, so that it is busy at once.
    const reading = this.work.ask((signal) => this.call('usage_sync', null, signal))
    const listening = onUsageProgress((progress) => this.take(progress))
    const state = await reading
    void listening.then((stop) => stop())
    // Another read has begun since: this one was paused, or belongs to another account.
    if (this.work.busy) return undefined
    this.pending = null
    this.progress = null
    this.ended++
    return state
  }

  private take(progress: UsageProgress): void {
    this.progress = progress
    for (const changed of this.followers) changed(progress)
  }
}

export const usageReading = new UsageReading(call)

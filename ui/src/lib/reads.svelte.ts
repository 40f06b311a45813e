/** Reads that wait because the vendor told them to: for how long, and a way out. */
import { type Call, onReadsWaiting } from './ipc'

export class Reads {
  /** Seconds until the first of them asks again; `null`: none waits. */
  left = $state<number | null>(null)

  constructor(private readonly call: Call) {}

  /** Follows them. Returns how to stop. */
  watch(): () => void {
    const listening = onReadsWaiting((seconds) => {
      this.left = seconds
    })
    const ticking = setInterval(() => {
      if (this.left !== null && this.left > 1) this.left -= 1
    }, 1000)
    return () => {
      clearInterval(ticking)
      void listening.then((end) => end())
    }
  }

  stop(): void {
    void this.call('stop_waits', null)
  }
}

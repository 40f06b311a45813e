/** Reads that wait because the vendor asked for it: for how long, and a way to stop them. */
import { type Call, onReadsWaiting } from './ipc'

export class Reads {
  /** Seconds until the first of them is repeated; `null`: none is waiting. */
  left = $state<number | null>(null)

  constructor(private readonly call: Call) {}

  /** Starts to follow them. Returns a function that stops it. */
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

/** Actions on an operation from its card: resend, check, judge, save secrets. Each press acts once. */
import type { OperationView } from '../../bindings/OperationView'
import type { Verdict } from '../../bindings/Verdict'
import type { Call } from '../ipc'
import { operations } from '../operations.svelte'
import { Work } from '../resource.svelte'

export class Card {
  private readonly work = new Work()
  readonly busy = $derived(this.work.busy)
  readonly error = $derived(this.work.error)

  constructor(
    private readonly call: Call,
    private readonly operation: () => OperationView,
  ) {}

  resend(): Promise<void> {
    return this.run((id) => this.call('resend_operation', id))
  }

  look(): Promise<void> {
    return this.run((id) => this.call('check_operation', id))
  }

  judge(verdict: Verdict): Promise<void> {
    return this.run((id) => this.call('judge_operation', { id, verdict }))
  }

  saveSecrets(): Promise<void> {
    return this.run((id) => this.call('save_secrets', id))
  }

  /** Reads the operations afterwards, whether it succeeded or not. */
  private async run(work: (id: string) => Promise<OperationView>): Promise<void> {
    const { id } = this.operation()
    await this.work.once(async () => {
      try {
        await work(id)
      } finally {
        await operations.read()
      }
    })
  }
}

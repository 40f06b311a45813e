/** What a person does about an operation from its card: resend, look, judge, save. Each press is carried out once. */
import type { OperationView } from '../../bindings/OperationView'
import type { Verdict } from '../../bindings/Verdict'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Work } from '../../lib/resource.svelte'

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

  /** What became of it is read whether it went well or not. */
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

/** Pasted lines that say which IPs are for whom, with the answers to their questions. */
import type { AssignTo } from '../../bindings/AssignTo'
import type { PastedAddress } from '../../bindings/PastedAddress'
import type { PastedLine } from '../../bindings/PastedLine'
import type { Who } from '../../bindings/Who'
import { People } from '../../lib/goods/people.svelte'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import { Resource, Work } from '../../lib/resource.svelte'

/** What is still open about a line. */
export type Question = 'no-address' | 'unknown' | 'which' | 'no-name' | 'who' | 'twice'

/** The answers to the questions of a line. A line that is left out has none. */
export type Answer = {
  /** The meaning of an address with several, by the text of the address. */
  meanings: Record<string, string>
  /** The value of the field that asks for whom the IPs are; empty: as the line says. */
  who: string
  out: boolean
}

const BLANK: Answer = { meanings: {}, who: '', out: false }

/** The pasted lines that are not assigned yet: they stay when the dialog is left. */
export class Unassigned {
  readonly pasted: Pasted

  constructor(call: Call) {
    this.pasted = new Pasted(call, kept.of(People, call))
  }
}

export class Pasted {
  text = $state('')
  private readonly reading = new Resource<PastedLine[] | null>(null, { quiet: true })
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error ?? this.reading.error)
  readonly busy = $derived(this.saving.busy)
  readonly lines = $derived(this.reading.value ?? [])
  /** Counts the readings. */
  private turn = 0
  /** The text that the lines are read from. */
  private readText = $state('')
  /** Whether the lines are not those of the text on screen yet. */
  readonly stale = $derived(this.text !== this.readText)
  /** The answers, by the number of the line. */
  private answers = $state.raw<Record<number, Answer>>({})
  /** For whom lines without a name are: the value of a field; empty: nobody. */
  otherwise = $state('')

  constructor(
    private readonly call: Call,
    private readonly people: People,
  ) {}

  /** Forgets what was pasted. */
  clear(): void {
    this.text = this.readText = this.otherwise = ''
    this.turn++
    this.reading.drop()
    this.reading.error = this.saving.error = null
    this.reading.value = null
    this.answers = {}
  }

  /** Reads the text, which may mean something else than before. Answers belong to the text that was asked about. */
  async read(): Promise<void> {
    const { text } = this
    const turn = ++this.turn
    const keep = () => {
      if (text !== this.readText) this.answers = {}
      this.readText = text
    }
    if (text.trim()) {
      const read = await this.reading.ask(() => this.call('read_pasted', text), keep)
      // Without an answer, or with a later text, these lines say nothing.
      if (read || turn !== this.turn) return
    } else {
      this.reading.drop()
      this.reading.error = null
    }
    this.reading.value = null
    keep()
  }

  answer(line: PastedLine): Answer {
    return this.answers[line.number] ?? BLANK
  }

  private set(line: PastedLine, change: Partial<Answer>): void {
    // The line of this number may be another one by now.
    if (this.stale) return
    this.answers = { ...this.answers, [line.number]: { ...this.answer(line), ...change } }
  }

  choose(line: PastedLine, address: PastedAddress, meaning: string): void {
    this.set(line, { meanings: { ...this.answer(line).meanings, [address.text]: meaning } })
  }

  give(line: PastedLine, who: string): void {
    this.set(line, { who })
  }

  leaveOut(line: PastedLine, out: boolean): void {
    this.set(line, { out })
  }

  /** Whom a line is for; null: that is a question. */
  who(line: PastedLine): Who | null {
    const { who } = this.answer(line)
    if (who) return this.people.who(who)
    if (line.meant.one) return line.meant.one.who
    return line.name === '' && this.otherwise ? this.people.who(this.otherwise) : null
  }

  /** The IPs of an address; null: that is a question. */
  private keys(line: PastedLine, address: PastedAddress): string[] | null {
    const chosen = this.answer(line).meanings[address.text]
    const { meanings } = address
    const one = meanings.length === 1 ? meanings[0] : meanings.find(({ text }) => text === chosen)
    if (chosen === ALL && meanings.length > 1) return meanings.flatMap(({ keys }) => keys)
    return one ? one.keys : null
  }

  /** Whose the IPs of a line are now, if that is somebody else than whom it names. */
  now(line: PastedLine, name: string): string[] {
    const whose = line.addresses.flatMap((address) => {
      const { meanings } = address
      const chosen = this.answer(line).meanings[address.text]
      const meant = meanings.filter(({ text }) => !chosen || chosen === ALL || text === chosen)
      return meant.flatMap((one) => one.whose)
    })
    return [...new Set(whose)].filter((one) => one !== name)
  }

  /** The lines that give an IP to somebody else than an earlier line does. */
  private readonly twice = $derived.by(() => {
    const [given, twice] = [new Map<string, string>(), new Set<number>()]
    for (const line of this.lines) {
      const who = this.answer(line).out ? null : this.who(line)
      if (who === null) continue
      for (const key of line.addresses.flatMap((address) => this.keys(line, address) ?? [])) {
        const before = given.get(key)
        if (before !== undefined && before !== JSON.stringify(who)) twice.add(line.number)
        given.set(key, before ?? JSON.stringify(who))
      }
    }
    return twice
  })

  /** The addresses of a line with several meanings. Their choice stays when it is made: it can be corrected. */
  severalMeanings(line: PastedLine): PastedAddress[] {
    return line.addresses.filter(({ meanings }) => meanings.length > 1)
  }

  /** Whether the name of a line leaves a choice, made or not. It is asked once the IPs are known. */
  asksWho(line: PastedLine): boolean {
    if (!line.name || line.meant.one) return false
    return line.addresses.length > 0 && line.addresses.every((address) => this.keys(line, address) !== null)
  }

  /** What is still open about a line; null: nothing. */
  question(line: PastedLine): Question | null {
    if (this.answer(line).out) return null
    if (line.addresses.length === 0) return 'no-address'
    if (line.addresses.some(({ meanings }) => meanings.length === 0)) return 'unknown'
    if (line.addresses.some((address) => this.keys(line, address) === null)) return 'which'
    if (this.who(line) === null) return line.name ? 'who' : 'no-name'
    return this.twice.has(line.number) ? 'twice' : null
  }

  readonly open = $derived(this.lines.filter((line) => this.question(line) !== null).length)
  /** What would be recorded. */
  readonly all = $derived.by((): AssignTo[] =>
    this.lines
      .filter((line) => !this.answer(line).out && this.question(line) === null)
      .map((line) => ({
        keys: line.addresses.flatMap((address) => this.keys(line, address) ?? []),
        who: this.who(line),
        note: null,
      })),
  )
  readonly count = $derived(new Set(this.all.flatMap(({ keys }) => keys)).size)

  /** Records all lines, once no question is open. Returns whether that succeeded. */
  async save(): Promise<boolean> {
    const { all, count } = this
    if (this.stale || this.open > 0 || count === 0) return false
    return this.people.assignIn(this.saving, all)
  }
}

/** The answer that all meanings of an address are meant. */
export const ALL = 'all'

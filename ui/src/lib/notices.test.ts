import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Restoration } from '../bindings/Restoration'
import type { SavedFile } from '../bindings/SavedFile'
import { Program, part, settled } from '../testing/program'
import { Notices } from './notices.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('notices', () => {
  it('stay until what was done about damaged files was read', async () => {
    const notices = new Notices(program.call)
    program.answer('restorations', { app: null, journal: [] })
    await notices.readRestorations()
    expect(notices.isRestored).toBe(false)
    program.answer('restorations', { app: part<Restoration>({}), journal: [] })
    await notices.readRestorations()
    expect(notices.isRestored).toBe(true)
    const seen = notices.seen()
    expect(notices.restorations).not.toBeNull()
    await program.held('restorations_seen')[0]?.answer(null)
    await seen
    expect(notices.restorations).toBeNull()
  })

  it('confirm for four seconds, counted from the last time', () => {
    vi.useFakeTimers()
    const notices = new Notices(program.call)
    notices.notify('Copied')
    vi.advanceTimersByTime(3000)
    notices.notify('Copied')
    vi.advanceTimersByTime(3000)
    expect(notices.toast).toBe('Copied')
    vi.advanceTimersByTime(1000)
    expect(notices.toast).toBe('')
    vi.useRealTimers()
  })

  it('about a saved file stay for longer, and as long as the pointer or the focus is on them', () => {
    vi.useFakeTimers()
    const notices = new Notices(program.call)
    notices.notify('Saved')
    notices.offer('Saved', part<SavedFile>({ number: 1 }))
    vi.advanceTimersByTime(15_000)
    expect([notices.toast, notices.file?.number]).toEqual(['Saved', 1])
    notices.hold()
    vi.advanceTimersByTime(100_000)
    expect(notices.toast).toBe('Saved')
    notices.release()
    vi.advanceTimersByTime(20_000)
    expect([notices.toast, notices.file]).toEqual(['', null])
    vi.useRealTimers()
  })

  it('say that details were copied once they are', async () => {
    const notices = new Notices(program.call)
    void notices.copy('code: 1')
    expect([program.last('copy_text'), notices.toast]).toEqual(['code: 1', ''])
    await program.held('copy_text')[0]?.answer(null)
    await settled()
    expect(notices.toast).not.toBe('')
  })
})

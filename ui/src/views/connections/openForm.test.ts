import { expect, it } from 'vitest'
import { Kept } from '../../lib/kept.svelte'
import { Program } from '../../testing/program'
import { OpenForm } from './openForm.svelte'

it('keeps what was typed without its tokens while its view is left, until it is closed', () => {
  const [kept, { call }] = [new Kept(), new Program()]
  const open = () => kept.of(OpenForm, call)
  open().open(null)
  const { form } = open().current ?? {}
  Object.assign(form?.draft ?? {}, { name: 'Mine', staticToken: 'secret', agentToken: 'secret' })
  // Its view is left.
  form?.forget()
  const { name, staticToken, agentToken } = open().current?.form.draft ?? {}
  expect([name, staticToken, agentToken]).toEqual(['Mine', '', ''])
  open().close()
  open().open(null)
  expect(open().current?.form.draft.name).toBe('')
  kept.forget()
  expect(open().current).toBeNull()
})

import { afterEach, expect, it } from 'vitest'
import { operation } from '../testing/operation'
import { useLanguage } from './i18n.svelte'
import { title, titleAround } from './operationWords'

afterEach(() => useLanguage('en'))

it('splits a title at the name, wherever the language puts it, and leaves one without a name whole', async () => {
  const set = operation({ kind: 'password', userName: 'Anna', customerId: '7' })
  expect(titleAround(set)).toEqual(['Set a proxy password for ', ''])
  await useLanguage('zh-CN')
  for (const one of [set, operation({ kind: 'status', active: false, userName: 'Anna' })])
    expect(titleAround(one).join('Anna')).toBe(title(one))
  expect(titleAround(operation())).toEqual([title(operation())])
})

import { expect, it } from 'vitest'
import { t, useLanguage } from './i18n.svelte'

it('calls the keychain of Windows by its Chinese name there', async () => {
  Object.assign(navigator, { platform: 'Win32' })
  await useLanguage('zh-CN')
  expect([t('settings.keychain'), t('create.made')]).toEqual([
    '凭据管理器',
    '令牌和密码已保存在凭据管理器中，可在客户页面再次查看。',
  ])
  await useLanguage('en')
  expect(t('settings.keychain')).toBe('System keychain')
})

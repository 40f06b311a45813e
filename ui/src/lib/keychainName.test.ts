import { expect, it } from 'vitest'
import { t, useLanguage } from './i18n.svelte'

it('calls the keychain of Windows by its name there', async () => {
  Object.assign(navigator, { platform: 'Win32' })
  await useLanguage('zh-CN')
  expect([t('settings.keychain'), t('create.made')]).toEqual([
    '凭据管理器',
    '令牌和密码已保存在凭据管理器中，可在客户页面再次查看。',
  ])
  await useLanguage('en')
  expect(
    [
      t('settings.keychain'),
      t('create.made'),
      t('create.save-now'),
      t('errors.keychain-locked.what'),
      t('errors.keychain-other-account.what'),
    ].join('\n'),
  ).toBe(`Credential Manager
The token and password are saved in Credential Manager. You can see them on the customer's page.
Save to Credential Manager
Credential Manager is locked. Nothing was saved.
The entry in Credential Manager belongs to another account, so it was not used. Nothing was sent.`)
})

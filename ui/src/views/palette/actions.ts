/** The pages, actions and sections of settings that the palette offers. */
import { language, t } from '../../lib/i18n.svelte'
import { route } from '../../lib/route.svelte'
import { SECTIONS, type Section, sectionName } from '../../lib/sections'
import { session } from '../../lib/session.svelte'
import type { Entry } from './entry'

const PAGES = ['overview', 'buy', 'orders', 'ips', 'traffic', 'customers', 'activity', 'settings'] as const
const THEMES = ['light', 'dark', 'system'] as const
/** Words of either language by which the choices are found. */
const ALSO = {
  en: 'english 英文 英语',
  'zh-CN': 'chinese 中文 汉语',
  light: 'light theme 浅色 亮色 主题',
  dark: 'dark theme night 深色 暗色 夜间 主题',
  system: 'system theme auto 系统 主题',
} as const

/** Words of either language by which a section of settings is found. */
const ALSO_SETTING: Partial<Record<Section, string>> = {
  look: 'language theme zoom size 语言 主题 字号',
  connections: 'token address 令牌 地址',
  about: 'update version 更新 升级 版本',
}

export function pages(): Entry[] {
  const open = PAGES.filter((page) => page === 'settings' || session.boot?.active)
  return open.map((page) => ({
    id: `page-${page}`,
    group: 'pages',
    label: t(`frame.${page}`),
    run: () => route.go({ place: page }),
  }))
}

export function actions(): Entry[] {
  const { boot } = session
  if (!boot) return []
  const other = language() === 'en' ? 'zh-CN' : 'en'
  return [
    ...(boot.active ? work() : []),
    ...(session.buysHere
      ? [
          action(
            'wallet',
            t('palette.wallet'),
            () => (route.dialog = 'wallet'),
            'wallet money balance 钱包 余额',
          ),
        ]
      : []),
    ...(boot.practice
      ? []
      : [action('practice', t('welcome.practice'), () => void session.open('practice'))]),
    ...boot.connections
      .filter((one) => one.id !== boot.active)
      .map((one) =>
        action(`open-${one.id}`, t('palette.open', { name: one.name }), () => void session.open(one.id)),
      ),
    action(
      'language',
      t('palette.language', { name: t(`languages.${other}`) }),
      () => void session.change({ language: other }),
      ALSO[other],
    ),
    ...THEMES.filter((theme) => theme !== boot.settings.theme).map((theme) =>
      action(
        `theme-${theme}`,
        t('palette.theme', { name: t(`themes.${theme}`) }),
        () => void session.change({ theme }),
        ALSO[theme],
      ),
    ),
    action('keys', t('keys.title'), () => (route.dialog = 'keys')),
    ...SECTIONS.map((section) =>
      action(
        `settings-${section}`,
        t('palette.settings', { section: sectionName(section) }),
        () => route.go({ place: 'settings' }, { what: 'settings-section', section }),
        ALSO_SETTING[section],
      ),
    ),
  ]
}

/** What can be begun while a connection is open. */
function work(): Entry[] {
  const list = { what: 'list' } as const
  return [
    action('new-customer', t('palette.new-customer'), () =>
      route.go({ place: 'customers', view: list }, { what: 'create-customer' }),
    ),
    action('bulk', t('palette.bulk'), () =>
      route.go({ place: 'customers', view: { what: 'bulk', ids: [], bulk: null } }),
    ),
    action('new-buyer', t('buyers.create'), () =>
      route.go({ place: 'ips', view: { what: 'buyers' } }, { what: 'create-buyer' }),
    ),
    action('paste-ips', t('paste.title'), () =>
      route.go({ place: 'ips', view: { what: 'list' } }, { what: 'paste-ips' }),
    ),
    action('calendar', t('palette.calendar'), () => route.go({ place: 'ips', view: { what: 'calendar' } })),
    action('health', t('palette.health'), () => (route.dialog = 'health')),
    action('files', t('files.title'), () => (route.dialog = 'files')),
    ...(session.boot?.practice
      ? [action('practice-menu', t('practice.menu'), () => (route.dialog = 'practice'))]
      : []),
    action('add-order', t('palette.add-order'), () => route.go({ place: 'orders' }, { what: 'add-order' })),
  ]
}

function action(id: string, label: string, run: () => void, also = ''): Entry {
  return { id: `action-${id}`, group: 'actions', label, also, run }
}

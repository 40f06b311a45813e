/** Words: every sentence of the page comes from `i18n/en.json` and `i18n/zh-CN.json`. */
import i18next from 'i18next'

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

const load: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('./i18n/en.json'),
  'zh-CN': () => import('./i18n/zh-CN.json'),
}

const current = $state({ language: 'en' as Language })

/** The language in force. Reading it makes a component follow changes. */
export function language(): Language {
  return current.language
}

/** Loads a language's words and shows them. Anything but Chinese is English. */
export async function useLanguage(wanted: string): Promise<void> {
  const known: Language = wanted === 'zh-CN' ? 'zh-CN' : 'en'
  const words = (await load[known]()).default
  if (!i18next.isInitialized) {
    await i18next.init({
      lng: known,
      fallbackLng: false,
      resources: {},
      interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    })
  }
  i18next.addResourceBundle(known, 'translation', words, true, true)
  await i18next.changeLanguage(known)
  document.documentElement.lang = known
  current.language = known
}

/** The sentence for a key, with its values put in. */
export function t(key: string, values?: Record<string, string | number>): string {
  void current.language
  return i18next.t(key, values ?? {})
}

/** Whether there is a sentence of its own for a key. */
export function has(key: string): boolean {
  void current.language
  return i18next.exists(key)
}

/** Chinese where the system speaks Chinese, else English. */
export function systemLanguage(): string {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

/** The words of the page: every sentence comes from `i18n/en.json` and `i18n/zh-CN.json`. */
import i18next from 'i18next'
import type en from './i18n/en.json'

/** Every key, without the endings of plural forms. */
type Flat<Words, Path extends string = ''> = {
  [Key in keyof Words & string]: Words[Key] extends string
    ? `${Path}${Key}`
    : Flat<Words[Key], `${Path}${Key}.`>
}[keyof Words & string]
type Base<Key> = Key extends `${infer One}_one` | `${infer One}_other` ? One : Key
/** The key of a sentence in the language files. A missing one does not compile. */
export type Key = Base<Flat<typeof en>>

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

const load: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('./i18n/en.json'),
  'zh-CN': () => import('./i18n/zh-CN.json'),
}

/** The keychain in the words of the files, and as Windows calls its own. */
const KEYCHAIN = {
  en: [/\b((the|your) )?(system )?keychain/gi, 'Credential Manager'],
  'zh-CN': [/(系统)?钥匙串/g, '凭据管理器'],
} as const satisfies Record<Language, [RegExp, string]>

/** Returns the words with the name that the keychain has on this system. */
function asHere(words: object, known: Language): object {
  if (!navigator.platform.startsWith('Win')) return words
  const [ours, theirs] = KEYCHAIN[known]
  const named = (_: string, word: unknown) =>
    typeof word === 'string' ? word.replaceAll(ours, theirs) : word
  return JSON.parse(JSON.stringify(words, named))
}

const current = $state({ language: 'en' as Language })

/** Returns the current language. Components that read it follow changes. */
export function language(): Language {
  return current.language
}

const knownOf = (wanted: string): Language => (wanted === 'zh-CN' ? 'zh-CN' : 'en')
const loads = new Map<Language, ReturnType<(typeof load)[Language]>>()

/** Loads the words of a language, once. */
function wordsOf(known: Language) {
  const loading = loads.get(known) ?? load[known]()
  loads.set(known, loading)
  loading.catch(() => loads.delete(known))
  return loading
}

/** Begins to load a language that will probably be used. Anything but Chinese becomes English. */
export function prepareLanguage(wanted: string): void {
  void wordsOf(knownOf(wanted))
}

/** Loads a language and switches to it. Anything but Chinese becomes English. */
export async function useLanguage(wanted: string): Promise<void> {
  const known = knownOf(wanted)
  const words = asHere((await wordsOf(known)).default, known)
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
  found.clear()
  document.documentElement.lang = known
  current.language = known
}

/** Sentences as found once, their values not filled in: a screen asks for hundreds, and each takes 25 us to find. */
const found = new Map<Key, string>()
const HOLE = /\{(\w+)\}/g

/** Returns the sentence for a key, with its values filled in. */
export function t(key: Key, values?: Record<string, string | number>): string {
  void current.language
  // A number of things decides which form of the sentence it is.
  if (typeof values?.count === 'number') return i18next.t(key, values)
  const known = found.get(key) ?? i18next.t(key)
  found.set(key, known)
  return values ? known.replace(HOLE, (hole, name) => String(values[name] ?? hole)) : known
}

/** Whether a key made from an outside word, such as a vendor's code, has a sentence. */
export function has(key: string): key is Key {
  void current.language
  return i18next.exists(key)
}

/** Returns the sentences of a group whose keys start alike, by the rest of their keys. */
export function alike(group: keyof typeof en, start: string): Record<string, string> {
  const words: Record<string, unknown> = i18next.getResource(current.language, 'translation', group)
  const keys = Object.keys(words).filter((key) => key.startsWith(start))
  return Object.fromEntries(keys.map((key) => [key.slice(start.length), String(words[key])]))
}

/** Returns the first of these keys that has a sentence, and `otherwise` if none has; absent keys are skipped. */
export function first(keys: (string | false | null | undefined)[], otherwise: Key): Key {
  for (const key of keys) if (key && has(key)) return key
  return otherwise
}

/** Returns Chinese if the system is in Chinese, else English. */
export function systemLanguage(): string {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

/** Sentences one after the other: with a space between them in English, without one in Chinese. */
export function paragraph(...all: (string | false | null | undefined)[]): string {
  return all.filter(Boolean).join(language() === 'en' ? ' ' : '')
}

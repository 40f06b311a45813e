/** Sets the language of every test to English. */
import { useLanguage } from '../lib/i18n.svelte'

await useLanguage('en')

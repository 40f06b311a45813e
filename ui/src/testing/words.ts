/** Every test speaks English. */
import { useLanguage } from '../lib/i18n.svelte'

await useLanguage('en')

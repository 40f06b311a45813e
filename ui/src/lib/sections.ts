/** The sections of Settings, from the top. */
import { t } from './i18n.svelte'

export const SECTIONS = [
  'look',
  'connections',
  'limits',
  'notifications',
  'proxy-test',
  'keys',
  'about',
] as const
export type Section = (typeof SECTIONS)[number]

export const sectionName = (section: Section) =>
  section === 'keys' ? t('keys.title') : t(`settings.${section}`)

/** Scrolls to a section, whose heading gets the focus. */
export function enterSection(section: Section): void {
  const heading = document.getElementById(`section-${section}`)
  heading?.focus({ preventScroll: true })
  heading?.closest('section, form')?.scrollIntoView({ block: 'start' })
}

import type { Plugin } from 'vite'

/** An element of an icon and its attributes. */
type Part = [string, Record<string, string>]

/**
 * Makes each icon a component of fixed markup. Lucide's own builds its elements one by one, with an effect for each,
 * which was a third of the time in which the first screen was mounted. Size and line width are the only properties.
 */
export function fixedIcons(): Plugin {
  const markup = ([tag, attributes]: Part) =>
    `<${tag} ${Object.entries(attributes)
      .map(([name, value]) => `${name}="${value}"`)
      .join(' ')} />`
  return {
    name: 'fixed-icons',
    enforce: 'pre',
    transform(code, id) {
      if (!/@lucide\/svelte\/dist\/icons\/[^/]+\.svelte$/.test(id)) return
      const icon = /const iconData = (\{.*\});/.exec(code)?.[1]
      if (!icon) throw new Error(`${id} holds no icon`)
      const { node } = JSON.parse(icon) as { node: Part[] }
      return `<script>let { size = 24, strokeWidth = 2 } = $props()</script>
<svg xmlns="http://www.w3.org/2000/svg" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${node.map(markup).join('')}</svg>`
    },
  }
}

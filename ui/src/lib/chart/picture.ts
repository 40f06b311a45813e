/** Brings SVG from the program into the page: known elements and attributes only. */

const NAMESPACE = 'http://www.w3.org/2000/svg'
const ELEMENTS = ['svg', 'rect', 'line', 'polyline', 'polygon', 'circle', 'text']
const ATTRIBUTES = [
  'viewBox',
  'x',
  'y',
  'x1',
  'x2',
  'y1',
  'y2',
  'cx',
  'cy',
  'r',
  'dy',
  'width',
  'height',
  'points',
  'fill',
  'stroke',
  'stroke-width',
  'opacity',
  'text-anchor',
  'font-size',
  'font-family',
]

/** Returns the picture as an element of this page; null: it is not SVG. */
export function asElement(svg: string): SVGElement | null {
  const read = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  return read.namespaceURI === NAMESPACE && read.localName === 'svg' ? (copy(read) as SVGElement) : null
}

function copy(from: Element): Element {
  const to = document.createElementNS(NAMESPACE, from.localName)
  for (const { name, value } of from.attributes) if (ATTRIBUTES.includes(name)) to.setAttribute(name, value)
  for (const child of from.childNodes) {
    if (child instanceof Element && ELEMENTS.includes(child.localName)) to.append(copy(child))
    else if (child.nodeType === Node.TEXT_NODE) to.append(document.createTextNode(child.textContent ?? ''))
  }
  return to
}

/** Scale of a saved picture, so that it is sharp in print. */
const SHARP = 2

/** Returns the picture, with the window's colours, as the bytes of a PNG. */
export async function asPng(svg: string, width: number, height: number): Promise<number[]> {
  const probe = document.createElement('span')
  document.body.append(probe)
  const colour = (variable: string) => {
    probe.style.color = variable
    return getComputedStyle(probe).color
  }
  const painted = svg.replace(/var\(--[a-z0-9-]+\)/g, colour)
  const ground = colour('var(--surface)')
  probe.remove()
  const image = new Image(width * SHARP, height * SHARP)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
    painted.replace('<svg ', `<svg width="${width * SHARP}" height="${height * SHARP}" `),
  )}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SHARP
  canvas.height = height * SHARP
  const paint = canvas.getContext('2d')
  if (!paint) throw new Error('no canvas')
  paint.fillStyle = ground
  paint.fillRect(0, 0, canvas.width, canvas.height)
  paint.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('no picture')
  return [...new Uint8Array(await blob.arrayBuffer())]
}

/** How long the page may stand still, in ms: less than a frame. */
const SLICE = 8

/** Maps many values. After every slice of time the page paints and answers keys. */
export async function inSlices<From, To>(all: From[], of: (one: From) => To): Promise<To[]> {
  const made: To[] = []
  let until = performance.now() + SLICE
  for (const one of all) {
    made.push(of(one))
    if (performance.now() < until) continue
    await new Promise((later) => setTimeout(later))
    until = performance.now() + SLICE
  }
  return made
}

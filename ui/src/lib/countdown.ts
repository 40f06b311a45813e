/** When a countdown is spoken, in ms before its end. */
const SPOKEN = [10_000, 30_000, 60_000]

/** The time left to speak of, in ms: the last mark that was passed; undefined: none was. */
export function spokenMark(left: number): number | undefined {
  return SPOKEN.find((mark) => left <= mark)
}

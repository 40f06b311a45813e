/** A table as it is shown: for a file, or for the clipboard as text that a spreadsheet takes apart. */
import type { TableRequest } from '../bindings/TableRequest'

export type Sheet = Omit<TableRequest, 'kind'>

/** Returns the table as lines of cells with tabs between them. */
export function asText({ columns, rows }: Sheet): string {
  const heads = columns.map(({ label }) => harmless(label))
  const lines = rows.map((row) =>
    row.map((cell, at) => (columns[at]?.number && isPlain(cell) ? cell : harmless(cell))),
  )
  return [heads, ...lines].map((line) => line.join('\t')).join('\n')
}

function isPlain(cell: string): boolean {
  return /^-?[\d.]*$/.test(cell)
}

/**
 * Defuses formulas as the files do: a spreadsheet calculates a cell that begins with one of these signs, also after
 * another separator. A cell stays in its line and column.
 */
function harmless(cell: string): string {
  return cell.replace(/[\t\r\n]+/g, ' ').replace(/(^|[,;])([\s"\ufeff\u200b]*)([=+\-@＝＋－＠])/g, "$1$2'$3")
}

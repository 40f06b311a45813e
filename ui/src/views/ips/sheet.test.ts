import { describe, expect, it } from 'vitest'
import type { ProxyTested } from '../../bindings/ProxyTested'
import { moment } from '../../lib/format'
import { testWords } from '../../lib/goods/words'
import { END, goods } from '../../testing/goods'
import { ipsColumns, ipsSheet } from './sheet'

const untested = () => undefined

describe('the table of IPs', () => {
  it('is a file with everything that is shown, and the note', async () => {
    const { columns, rows } = await ipsSheet(
      [goods(), goods({ buyer: null, sent: null })],
      ipsColumns(),
      untested,
    )
    expect(columns.map(({ label }) => label)).toEqual([
      'Address',
      'Note',
      'Protocol',
      'Country',
      'City',
      'Expires',
      'Buyer',
      'Sent',
      'Order number',
      'Status',
    ])
    expect(rows[0]).toEqual([
      '192.0.2.1:1080',
      'x',
      'socks5',
      'Japan (JP)',
      'Osaka',
      moment(END),
      'ali',
      `${moment(END)}, message copied`,
      'SO1',
      'Active',
    ])
    expect(rows[1]?.slice(6, 8)).toEqual(['', ''])
  })

  it('leaves out what is not shown, and the buyer on a buyer’s own page', async () => {
    const shown = ipsColumns(false).filter(({ id }) => id !== 'protocol' && id !== 'place')
    const { columns, rows } = await ipsSheet([goods({ state: 'unlisted' })], shown, untested)
    expect(columns.map(({ label }) => label)).toEqual([
      'Address',
      'Note',
      'Expires',
      'Sent',
      'Order number',
      'Status',
    ])
    expect([rows[0]?.length, rows[0]?.[5]]).toEqual([6, 'Not listed'])
  })

  it('says beside the address what the last test has shown, if any was tested', async () => {
    const works: ProxyTested = { key: 'a', at: END, outcome: { is: 'works', ms: 420, country: 'JP' } }
    const all = [goods({ key: 'a' }), goods({ key: 'b' })]
    const shown = ipsColumns().filter(({ id }) => id === 'address')
    const { columns, rows } = await ipsSheet(all, shown, (key) => (key === 'a' ? works : undefined))
    expect(columns.map(({ label }) => label)).toEqual(['Address', 'Last test', 'Note'])
    expect(rows).toEqual([
      ['192.0.2.1:1080', `${testWords(works.outcome)} (tested ${moment(END)})`, 'x'],
      ['192.0.2.1:1080', '', 'x'],
    ])
  })
})

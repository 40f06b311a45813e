import { describe, expect, it } from 'vitest'
import type { NotRenewed } from '../bindings/NotRenewed'
import type { OperationView } from '../bindings/OperationView'
import { APPLIED, operation, UNKNOWN } from '../testing/operation'
import { resultsOf } from './renewal'

const renewal = {
  ips: ['7', '8'].map((id) => ({ id, host: `192.0.2.${id}`, port: 1080, expires: '2026-12-01' })),
  periodDays: 30,
  amount: '9',
  currency: 'USD',
}
const order = {
  orderNo: '5',
  orderId: '',
  status: null,
  amount: '9',
  currency: 'USD',
  deliverIpCount: null,
}
const error = (of: Partial<NotRenewed>): NotRenewed => ({ resourceId: '', proxyIp: '', message: '', ...of })

function answered(
  failCount: number | null,
  errors: NotRenewed[],
  successCount: number | null = null,
  state: Partial<OperationView> = APPLIED,
) {
  return resultsOf(
    operation({
      kind: 'renew',
      renewal,
      order: { ...order, successCount, failCount, errors },
      ...state,
    }),
  )
}

const seen = ({ rows, unnamed }: ReturnType<typeof resultsOf>) => [rows.map((row) => row.renewed), unnamed]

describe('the results of a renewal', () => {
  it('are known for each IP once the vendor said yes', () => {
    expect(seen(answered(0, []))).toEqual([[true, true], 0])
    expect(seen(answered(null, []))).toEqual([[true, true], 0])
  })

  it('name the IPs that failed, by id or by address, before the others', () => {
    const failed = answered(1, [error({ resourceId: '8', message: 'too old' })])
    expect([seen(failed), failed.rows[0]?.id, failed.rows[0]?.reason]).toEqual([
      [[false, true], 0],
      '8',
      'too old',
    ])
    const byAddress = answered(null, [error({ proxyIp: '192.0.2.7' })])
    expect([seen(byAddress), byAddress.rows[0]?.id]).toEqual([[[false, true], 0], '7'])
  })

  it('claim nothing of any IP while some failed that are not named', () => {
    expect(seen(answered(1, []))).toEqual([[null, null], 1])
    expect(seen(answered(null, [error({ message: 'one of them' })]))).toEqual([[null, null], 1])
    expect(seen(answered(null, [], 1))).toEqual([[null, null], 1])
    expect(seen(answered(0, [error({ message: 'none of them' })], 2))).toEqual([[null, null], 1])
  })

  it('are those of the id where two IPs share an address, and of none where only the address is told', () => {
    const ips = ['7', '8'].map((id) => ({ id, host: '192.0.2.1', port: null, expires: '' }))
    const of = (one: Partial<NotRenewed>) => {
      const failed = { ...order, successCount: 1, failCount: 1, errors: [error(one)] }
      return seen(
        resultsOf(operation({ ...APPLIED, kind: 'renew', renewal: { ...renewal, ips }, order: failed })),
      )
    }
    expect(of({ resourceId: '7', proxyIp: '192.0.2.1' })).toEqual([[false, true], 0])
    expect(of({ proxyIp: '192.0.2.1' })).toEqual([[null, null], 1])
  })

  it('are not known without an answer', () => {
    expect(seen(resultsOf(operation({ kind: 'renew', renewal, ...UNKNOWN })))).toEqual([[null, null], 0])
  })
})

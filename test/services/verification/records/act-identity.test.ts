import test from 'ava';
import { actIdentity } from '../../../../services/verification/records/act-identity.ts';
import { readToolList } from '../../../../services/verification/tools/tool-list.ts';
import { pay } from '../../../workers/solver/run/refund-run.ts';

const PINNED = readToolList('pay.refund=revenue_write:/id');

const identityOf = (response: unknown, list = PINNED, tool = 'pay.refund') =>
  actIdentity({ action: { ...pay('80.00', '0.00'), tool, response }, seq: 3, planned: 'elsewhere' }, list);

test('the identity of an act is where the list says, whatever field its plan names', (t) => {
  t.is(identityOf({ id: 'r1', other: 'elsewhere' }), 'r1');
  t.is(identityOf({ id: 17 }), '17');
  t.is(identityOf({ id: 'r1' }, PINNED, 'Pay.Refund'), 'r1');
});

test('the identity of a tool that the list does not pin is that of its plan', (t) => {
  t.is(identityOf({ id: 'r1' }, readToolList('pay.refund=revenue_write')), 'elsewhere');
});

test('an act whose response has no identity where the list says is refused', (t) => {
  for (const response of [{}, null, { id: '' }, { id: null }, { id: 1.5 }, { id: ['r1'] }]) {
    t.throws(() => identityOf(response), {
      code: 'MALFORMED_INPUT',
      message: /^\/actions\/3\/response\/id: /,
    } as object);
  }
});

import test from 'ava';
import { readToolList } from '../../../../services/verification/catalogue/tool-list.ts';
import {
  actIdentity,
  MAX_IDENTITY_BYTES,
  type MoneyAction,
} from '../../../../services/verification/records/act-identity.ts';
import { REFUND_TOOL } from '../../../models/catalogued.ts';
import { pay } from '../../../models/refund-run.ts';

const REFUND = { ...REFUND_TOOL, effect: 'revenue_write' as const };
const UNPINNED = readToolList('pay.refund=revenue_write');
const PINNED = readToolList('pay.refund=revenue_write:/id');

const identityOf = (response: unknown, list = PINNED, name = 'pay.refund', changes: Partial<MoneyAction> = {}) => {
  const action = { ...pay('80.00', '0.00'), tool: name, response };
  return actIdentity({ action, seq: 3, tool: REFUND, planned: 'elsewhere', ...changes }, list);
};

test('the list decides where the identity of an act is, whatever field the plan names', (t) => {
  t.is(identityOf({ id: 'r1', other: 'elsewhere' }), 'r1');
  t.is(identityOf({ id: 17 }), '17');
  t.is(identityOf({ id: 'r1' }, PINNED, 'Pay.Refund'), 'r1');
});

test('the plan decides the identity of a tool that the list does not pin', (t) => {
  t.is(identityOf({ id: 'r1' }, UNPINNED), 'elsewhere');
});

test('an identity is the same with white space around it, invisible characters at its ends, or another normalization', (t) => {
  for (const id of [' r\u00e9', 'r\u00e9\ufeff', 're\u0301', '\u200br\u00e9\n']) t.is(identityOf({ id }), 'r\u00e9');
  t.is(identityOf({}, UNPINNED, 'pay.refund', { planned: ' r1' }), 'r1');
  t.is(identityOf({ id: 'R1' }), 'R1');
});

test('refuses an act whose response has no identity where the list says', (t) => {
  for (const response of [{}, null, { id: '' }, { id: ' \ufeff' }, { id: null }, { id: 1.5 }, { id: ['r1'] }]) {
    t.throws(() => identityOf(response), {
      code: 'MALFORMED_INPUT',
      message: /^\/actions\/3\/response\/id: /,
    });
  }
});

test('refuses an identity that is too long for its index, pinned or not', (t) => {
  const longest = 'é'.repeat(MAX_IDENTITY_BYTES / 2);
  t.is(identityOf({ id: longest }), longest);
  const expected = {
    code: 'MALFORMED_INPUT',
    message: /^\/actions\/3\/response\/id: must have at most 512 bytes/,
  };
  t.throws(() => identityOf({ id: `${longest}x` }), expected);
  t.throws(() => identityOf({}, UNPINNED, 'pay.refund', { planned: `${longest}x` }), expected);
});

test('refuses an act without an identity if only the list says that its tool moves money, and keeps an unplanned act', (t) => {
  const raised = { tool: { ...REFUND, effect: 'write' as const, identity: null }, planned: undefined };
  t.is(identityOf({ id: 'r1' }, PINNED, 'pay.refund', raised), 'r1');
  const expected = { code: 'MALFORMED_INPUT', message: /^\/actions\/3\/tool: .*have a new plan approved$/ };
  t.throws(() => identityOf({ id: 'r1' }, UNPINNED, 'pay.refund', raised), expected);
  t.is(identityOf({ id: 'r1' }, UNPINNED, 'pay.transfer', { tool: undefined, planned: undefined }), undefined);
});

import test from 'ava';
import { readCatalogueTool } from '../../../../workers/plan/read/read-tool.ts';
import { TRANSFER } from '../../../models/payment-plan.ts';
import { refuses } from '../../verdict/thrown.ts';

const limit = (over: object) => ({
  limits: [{ id: 'l', of: 'amount', per: 'payee', within: 'day', most: '1.00', ...over }],
});
const amount = (over: object) => ({ amounts: [{ of: ['arg', 'amount'], unit: '1', currency: 'EUR', ...over }] });
const COUNTED = { args: { ...TRANSFER.args, count: { type: 'int' } } };
const SEEN = { type: 'map', key: { type: 'string', max: 32 }, value: { type: 'int', min: 0, max: 9 } };
const ENTRY = { key: ['arg', 'invoice'], value: 1 };
const seen = (entries: unknown) => ({
  state: { ...TRANSFER.state, seen: SEEN },
  effects: { ...TRANSFER.effects, seen: entries },
});

const READ = [
  limit({}),
  limit({ of: null, per: null, most: '1' }),
  amount({}),
  amount({ of: ['resp', 'balance'], unit: '0.01', currency: ['arg', 'payee'] }),
  amount({ unit: ['arg', 'invoice'] }),
  { ...COUNTED, ...limit({ of: 'count', most: '1' }) },
  { ...COUNTED, ...amount({ of: ['arg', 'count'] }) },
  seen([ENTRY]),
  seen([ENTRY, ENTRY, ENTRY, ENTRY]),
];

const MALFORMED: readonly (readonly [object, string, string])[] = [
  [{ identity: null }, 'WRONG_REPLAY', '/effect'],
  [{ ...COUNTED, ...limit({ of: 'count', most: '1.0' }) }, 'WRONG_SCALE', '/limits/0/most'],
  [limit({ of: 'payee' }), 'UNKNOWN_FIELD', '/limits/0/of'],
  [limit({ of: 'balance' }), 'UNKNOWN_FIELD', '/limits/0/of'],
  [limit({ per: 'balance' }), 'UNKNOWN_FIELD', '/limits/0/per'],
  [limit({ most: '1' }), 'WRONG_SCALE', '/limits/0/most'],
  [limit({ of: null, most: '1.00' }), 'WRONG_SCALE', '/limits/0/most'],
  [{ ...amount({}), effect: 'write' }, 'MALFORMED_TOOL', '/amounts'],
  [amount({ of: ['arg', 'payee'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ of: ['arg', 'balance'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ of: ['resp', 'amount'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ unit: '0.00' }), 'MALFORMED_TOOL', '/amounts/0/unit'],
  [amount({ unit: ['arg', 'amount'] }), 'UNKNOWN_FIELD', '/amounts/0/unit'],
  [amount({ currency: ['arg', 'nobody'] }), 'UNKNOWN_FIELD', '/amounts/0/currency'],
  [amount({ of: ['state', 'balance'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ currency: ['resp', 'balance'] }), 'UNKNOWN_FIELD', '/amounts/0/currency'],
  [{ effects: { balance: ['var', 'cap'] } }, 'OUT_OF_SCOPE', '/effects/balance/0'],
  [
    { args: { ...TRANSFER.args, payee: { type: 'string', max: 9, fold: 'dots' } } },
    'MALFORMED_TYPE',
    '/args/payee/fold',
  ],
  [{ responds: { id: { type: 'string', max: 9, at: '/id', fold: 'trimmed' } } }, 'MALFORMED_TYPE', '/responds/id/fold'],
  [seen([]), 'MALFORMED_PLAN', '/effects/seen'],
  [seen([ENTRY, ENTRY, ENTRY, ENTRY, ENTRY]), 'MALFORMED_PLAN', '/effects/seen'],
  [seen([{ key: ENTRY.key }]), 'MALFORMED_PLAN', '/effects/seen/0'],
  [seen([{ ...ENTRY, more: 1 }]), 'MALFORMED_PLAN', '/effects/seen/0'],
];

test('a description of the catalogue has limits, amounts and effects of its own numbers, texts and states', (t) => {
  for (const change of READ)
    t.is(readCatalogueTool({ ...TRANSFER, ...change }).ref, 'bank.transfer@2.0.0', JSON.stringify(change));
  for (const [change, code, path] of MALFORMED)
    refuses(t, () => readCatalogueTool({ ...TRANSFER, ...change }), code, path, JSON.stringify(change));
});

import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { readCatalogueTool } from '../../../../workers/plan/read/read-tool.ts';
import { compileTools } from '../../../../workers/plan/text/tools/compile-tools.ts';
import { TOOLS_BASE } from './faults/catalogue-cases.ts';

test('a tool has its strictest parts where it says nothing', (t) => {
  t.deepEqual(compileTools('tools: { a@0.0.0: {} }').tools, [
    {
      ...{ tool_format: 2, name: 'a', version: '0.0.0', effect: 'none', replay: 'recorded', args: {}, responds: {} },
      ...{ effects: {}, observe: {}, identity: null, post: [], state: {}, limits: [] },
    },
  ]);
  t.deepEqual(compileTools('tools: {}').tools, []);
});

test('each part of a catalogue is accepted up to its bounds', (t) => {
  for (const [from, to] of [
    ['bank.pay@1.0.0', `${'b'.repeat(64)}@999999999.0.10`],
    ['identity: id', 'identity: number'],
    ['limits: { one: 1 act per day }', 'limits: {}'],
    ['amounts: args.amount in EUR', `amounts: [${Array(8).fill('args.amount in EUR').join(', ')}]`],
    ['amounts: args.amount in EUR', `amounts: args.amount  in  ${'9'.repeat(18)} EUR`],
    ['amounts: args.amount in EUR', `amounts: args.amount in 0.${'0'.repeat(17)}1 ABCDEFGH1234`],
    ['one: 1 act per day', Array.from({ length: 16 }, (_, index) => `l${index}: 1 act per day`).join(', ')],
  ] as const) {
    t.is(compileTools(TOOLS_BASE.replace(from, () => to)).faults, undefined, to);
  }
});

test('a pure tool has no effects, and is one that the service can run again', (t) => {
  const pure = TOOLS_BASE.replace('replay: effects', 'replay: pure').replace('    observe: { left: left }\n', '');
  const faultOf = (text: string) => compileTools(text).faults?.map(({ line, message }) => `${line} ${message}`);
  t.deepEqual(faultOf(pure), ['4 replay is "pure", and the tool has effects: a pure tool changes no state']);
  t.deepEqual(faultOf(pure.replace(/ {4}effects: .*\n/, '')), [
    '4 bank.pay@1.0.0 is not a tool that this service can run again',
  ]);
  t.is(faultOf(pure.replace('replay: pure', 'replay: recorded')), undefined);
  // Where a part is misspelt, its own fault is told alone.
  t.is(faultOf(TOOLS_BASE.replace('identity: id', 'identity: idd'))?.length, 1);
  t.is(faultOf(TOOLS_BASE.replace('observe: { left: left }', 'observe: { left: lft }'))?.length, 1);
});

/** A limit is one of the sum of many acts, whatever the bounds of one act are. */
const LIMITS: Readonly<Record<string, object>> = {
  '10000 of amount per day': { of: 'amount', per: null, within: 'day', most: '10000.00' },
  '1.50 of amount for each payee per hour': { of: 'amount', per: 'payee', within: 'hour', most: '1.50' },
  '500 of items per week': { of: 'items', per: null, within: 'week', most: '500' },
  '0 of items for each payee per week': { of: 'items', per: 'payee', within: 'week', most: '0' },
  '1 act per hour': { of: null, per: null, within: 'hour', most: '1' },
  '12 acts for each payee per day': { of: null, per: 'payee', within: 'day', most: '12' },
};
const FEE = { of: ['resp', 'fee'], unit: '1', currency: 'EUR' };
const AMOUNTS: Readonly<Record<string, readonly object[]>> = {
  'args.items in EUR': [{ of: ['arg', 'items'], unit: '1', currency: 'EUR' }],
  'args.items in 0.01 EUR': [{ of: ['arg', 'items'], unit: '0.01', currency: 'EUR' }],
  'response.fee in args.currency': [{ ...FEE, currency: ['arg', 'currency'] }],
  '[args.items in args.unit EUR, response.fee in EUR]': [
    { of: ['arg', 'items'], unit: ['arg', 'unit'], currency: 'EUR' },
    FEE,
  ],
};

test('limits, amounts and folds of a description are read, and the engine reads them too', (t) => {
  const compile = (more: string) => {
    const { tools, faults } = compileTools(`tools:
  bank.pay@1.0.0:
    effect: revenue_write
    args: { payee: "string(64, email)", amount: "decimal(2, 5..100)", items: int(1..9), currency: string(3), unit: "enum(cent, euro)" }
    responds: { id: string(64), fee: decimal(2) }
    identity: id
    ${more}
`);
    t.is(faults, undefined, more);
    const read = readCatalogueTool(JSON.parse(canonicalText(tools?.[0])));
    t.deepEqual(read.args.get('payee'), { type: 'string', max: 64, fold: 'email' });
    return tools?.[0];
  };
  for (const [text, limit] of Object.entries(LIMITS))
    t.deepEqual(compile(`limits: { one: ${text} }`)?.limits, [{ id: 'one', ...limit }], text);
  for (const [text, amounts] of Object.entries(AMOUNTS))
    t.deepEqual(compile(`amounts: ${text}`)?.amounts, amounts, text);
});

import test from 'ava';
import { canonicalText } from '../../../../../workers/exact/canonical-json.ts';
import { readCatalogueTool } from '../../../../../workers/plan/read/read-tool.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';

const compile = (amounts: string) =>
  compileTools(`tools:
  bank.pay@1.0.0:
    effect: revenue_write
    args: { payee: string(64), cents: int, currency: string(3), unit: "enum(cent, euro)" }
    responds: { id: string(64), fee: decimal(2) }
    identity: id
    amounts: ${amounts}
`);

const AMOUNTS: readonly (readonly [text: string, amounts: readonly object[]])[] = [
  ['args.cents in EUR', [{ of: ['arg', 'cents'], unit: '1', currency: 'EUR' }]],
  ['args.cents in 0.01 EUR', [{ of: ['arg', 'cents'], unit: '0.01', currency: 'EUR' }]],
  ['response.fee in args.currency', [{ of: ['resp', 'fee'], unit: '1', currency: ['arg', 'currency'] }]],
  [
    '[args.cents in args.unit EUR, response.fee in EUR]',
    [
      { of: ['arg', 'cents'], unit: ['arg', 'unit'], currency: 'EUR' },
      { of: ['resp', 'fee'], unit: '1', currency: 'EUR' },
    ],
  ],
];

test('amounts of a description are read, and the engine reads them too', (t) => {
  for (const [text, amounts] of AMOUNTS) {
    const { tools, faults } = compile(text);
    t.is(faults, undefined, text);
    t.deepEqual(tools?.[0]?.amounts, amounts, text);
    t.is(readCatalogueTool(JSON.parse(canonicalText(tools?.[0]))).ref, 'bank.pay@1.0.0');
  }
});

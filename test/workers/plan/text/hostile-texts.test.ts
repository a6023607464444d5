import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { compileRuns } from '../../../../workers/plan/text/runs/compile-runs.ts';
import { compileTools } from '../../../../workers/plan/text/tools/compile-tools.ts';
import { alignScalar } from '../../../../workers/plan/text/yaml/align-scalar.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import {
  APPROVED_TABLE,
  compileText,
  planOf,
  planText,
  TOOLS,
  TOOLS_TEXT,
  textsOf,
} from '../../../models/plan-texts.ts';
import { RUNS_BASE } from './faults/run-cases.ts';

const PLAN = planText([
  'once: unique(pay, p, p.invoice)',
  'sums: "sum(pay, p, p.amount) <= cap && pay.all(p, state.sent[p.payee] < 3)"',
]);

const SIGNS = '& * ! | % ? / || >- --- &a *a !!x enum( 1e999 null exists count __proto__ constructor'.split(' ');
/** Words and signs of plans, and others that could do harm. */
const PIECES = [
  ...new Set(PLAN.match(/\w+|\W/g)),
  ...SIGNS,
  ...['\t', '\u0000', '\u202e', '\ud800', '9'.repeat(41), '-1', 'tool: bank.pay@2', 'times: 0..3', '---\n', '!!x '],
];

/** Texts near a valid one: pieces put in, taken out or doubled. */
function mutations(text: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(text.length),
    cut: fc.nat(12),
    put: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
  });
  return fc
    .array(edit, { minLength: 1, maxLength: 6 })
    .map((edits) =>
      edits.reduce((result, { at, cut, put }) => result.slice(0, at) + put.join('') + result.slice(at + cut), text),
    );
}

/** A text with one of its words or signs in the place of another one. Some of these are plans. */
function swaps(text: string): fc.Arbitrary<string> {
  const tokens = [...text.matchAll(/\w+|[^\s\w]/g)].map(({ 0: token, index }) => ({ token, index }));
  return fc.tuple(fc.constantFrom(...tokens), fc.constantFrom(...tokens)).map(([from, to]) => {
    return text.slice(0, from.index) + to.token + text.slice(from.index + from.token.length);
  });
}

test('a text has a plan that the solver reads, or faults within the text', (t) => {
  const texts = fc.oneof(
    swaps(PLAN),
    mutations(PLAN),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
  );
  let compiled = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const { plan, faults } = compileText(text);
      if (plan !== undefined) {
        compiled += 1;
        t.notThrows(() => readPlan(plan, [], { tools: textsOf(TOOLS), tables: [APPROVED_TABLE] }), text);
        return;
      }
      const lines = text.split('\n');
      for (const { line, column } of faults)
        t.true(line <= lines.length && column <= (lines[line - 1] ?? '').length + 1, text);
      t.true(faults.length > 0 && faults.length <= 100);
    }),
    { numRuns: runs(1_500) },
  );
  t.true(compiled > runs(1_500) / 40, `${compiled} texts had a plan`);
});

test('catalogues and runs near valid ones have a result or faults', (t) => {
  const plan = planOf(PLAN);
  t.is(compileRuns(RUNS_BASE, plan, TOOLS).runs?.length, 1);
  for (const [text, compile] of [
    [TOOLS_TEXT, (tools: string) => Object.entries(compileTools(tools))],
    [RUNS_BASE, (run: string) => Object.entries(compileRuns(run, plan, TOOLS))],
  ] as const) {
    const hasOne = (changed: string) => compile(changed).filter(([, value]) => value !== undefined).length === 1;
    fc.assert(
      fc.property(mutations(text), (changed) => t.true(hasOne(changed), changed)),
      { numRuns: runs(400) },
    );
  }
});

test('names of a plan that JavaScript gives a meaning are names', (t) => {
  const plan = planOf(
    planText(['__proto__: count(constructor) < 3'])
      .replace('pay:', 'constructor:')
      .replace('reads: { id: /id }', 'reads: { __proto__: string(8) at /__proto__/toString, id: /id }')
      .replace('{ a: string(8),', '{ __proto__: string(8), a: string(8),')
      .replace('rows: [{ a: x,', 'rows: [{ __proto__: y, a: x,'),
  );
  t.notThrows(() => readPlan(plan, [], { tools: textsOf(TOOLS), tables: [APPROVED_TABLE] }));
  const runs = `r: { must: violated, actions: [{ constructor: { invoice: A1, amount: 1.00, payee: x }, receipt: { __proto__: z, id: t1 } }] }`;
  const [run] = compileRuns(runs, plan, TOOLS).runs ?? [];
  t.is(JSON.stringify(run?.artifacts[0]?.document), '{"__proto__":{"toString":"z"},"id":"t1"}');
  t.is(Object.getOwnPropertyDescriptor(Object.prototype, 'toString')?.value, Object.prototype.toString);
  t.is(String({}), '[object Object]');
});

test('the place of each visible character of a scalar is exact, in every style of YAML', (t) => {
  const cases = [
    ['plain', 'ab cd\n   ef', 'ab cd ef'],
    ['single', "'a''b c'", "a'b c"],
    ['double', '"a\\"b\\u0041\\x42 \\\n   c"', 'a"bAB c'],
    ['block', '|\n    ab\n      c\n    d\n', 'ab\n  c\nd\n'],
    ['block', '>-\n    ab\n    cd\n', 'ab cd'],
  ] as const;
  for (const [style, source, value] of cases) {
    const offsets = alignScalar(value, { source, start: 0, end: source.length, style });
    t.is(offsets.length, value.length);
    for (const [index, character] of [...value].entries()) {
      const at = offsets[index] ?? -1;
      if (/[a-z]/.test(character)) t.is(source[at], character, `${source} ${index}`);
    }
  }
});

test('a fault in a block scalar has the line and the column of its character', (t) => {
  const { faults } = compileText(
    PLAN.replace('unique(pay, p, p.invoice)', '|-\n    pay.all(p,\n      p.amount > capp)'),
  );
  t.deepEqual(
    faults?.map(({ line, column, code }) => [line, column, code]),
    [[21, 18, 'UNKNOWN_NAME']],
  );
});

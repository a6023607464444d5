import test from 'ava';
import { DocumentError } from '../../../../workers/exact/document-error.ts';
import { OPERATORS } from '../../../../workers/plan/language/operators.ts';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import { createRoom, type Scope } from '../../../../workers/plan/language/site.ts';
import { parseType, parseTypes, TIMED_TYPES, type ValueType } from '../../../../workers/plan/language/types.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { rowsOf, tree } from '../../../models/trees.ts';
import { refuses, thrownBy } from '../../verdict/thrown.ts';

/** Names alone, as a sheet has them. */
const NAMES: Scope = {
  names: {
    var: parseTypes(
      {
        n: { type: 'int' },
        cap: { type: 'decimal', scale: 2 },
        rate: { type: 'decimal', scale: 4 },
        ok: { type: 'bool' },
        id: { type: 'string', max: 64 },
        state: { type: 'enum', values: ['open', 'done'] },
        turned: { type: 'enum', values: ['done', 'open'] },
        size: { type: 'enum', values: ['s', 'm'] },
      },
      '',
    ),
  },
};
const plan = payPlan({ state: 'sent: "map(string(64), int, default 0)"' });
const RELATIONS = { tables: plan.tables, hasOwnTimes: false, hasRunFacts: true, room: createRoom() } as const;
/** What rules of a plan can name. */
const RULES = {
  ...NAMES,
  relations: { ...RELATIONS, maps: { at: 'final', types: plan.maps } },
  steps: new Map(
    plan.steps.map(({ stepId, tool }) => [
      stepId,
      { arg: tool.args, resp: new Map([...tool.responds].map(([name, field]) => [name, field.type])) },
    ]),
  ),
} satisfies Scope;

const BOOL: ValueType = { type: 'bool' };
interface Reading {
  readonly type?: ValueType;
  readonly scope?: Scope;
}
const parse = (json: unknown, { type = BOOL, scope = RULES }: Reading = {}) =>
  parseExpression(json, { type, scope, path: '/expr' });

/** Expressions between ¦. `N` is a number of `p` and `FREE` a condition on it, `@5` a time and `5s` a duration. */
const treesOf = (texts: string) =>
  texts.split(/ ¦ |\n/).map((text) =>
    tree(
      text
        .replaceAll('FREE', '[> N 0]')
        .replaceAll(/\bN\b/g, '[arg p n]')
        .replaceAll(/@(\d)/g, '[time 2026-11-02T00:00:0$1.000000Z]')
        .replaceAll(/(-?\d)s\b/g, '[duration "$1000000"]'),
    ),
  );

/** Expressions that are true of any run without actions. */
const TRUE = `\
[= [- @5 @2] 3s] ¦ [= [- @5 @2 1s] 2s] ¦ [= [- @5 1s 2s] @2] ¦ [= [- 5s 1s 2s] 2s] ¦ [= [- 5s] -5s]
[= [+ 1s @2 3s] @6] ¦ [= [+ 1s 2s] 3s] ¦ [= [* 2s 3] 6s] ¦ [= [* 3 2s] 6s] ¦ [= [* [- 2s] 3] -6s]
[= [min 2s 1s 3s] 1s] ¦ [= [max 2s 3s 1s] 3s] ¦ [= [min @2 @1] @1] ¦ [= [max @2 @1] @2] ¦ [< @1 @2] ¦ [>= 2s 2s]
[not [> 2s 2s]] ¦ [< 1 2] ¦ [= [min 2 [- 3]] [- 3]]`;

/** Expressions by their type. */
const TYPED = `
[= [var rate] [* [dec 0.5] [var cap]]] ¦ [< [div [var n] -3] [div [var n] [int "2"]]] ⇒ bool
[= [var state] [ite [var ok] [enum open] [enum done]]] ¦ [!= [var state] [var turned]] ⇒ bool
[iff [not [bool true]] [implies [var ok] [!= [var id] [str A1]]]] ⇒ bool
[>= [- [var n]] [min [var cap] [max 1 [var rate] [- 3 2 1]]]] ⇒ bool
[sum pay p N] ¦ [sum pay p N FREE] ¦ [least pay p N] ¦ [greatest pay p N FREE] ¦ [count pay] ¦ [count pay p FREE] ⇒ int
[count [table approved]] ¦ [sum [table approved] a [col a amount]] ¦ [run approvals] ¦ [at final sent [str A]] ⇒ int
[look approved amount [[str A]]] ⇒ int
[least pay p [started p]] ¦ [greatest pay p [ended p]] ¦ [run approved_at] ¦ [time 2026-12-05T00:00:00.000000Z] ⇒ time
[sum pay p [- [ended p] [started p]]] ¦ [least pay p [- [ended p] [started p]]] ¦ [duration "3600000000"] ⇒ duration
[unique pay p [N [resp p note]]] ¦ [unique pay p [N] FREE] ¦ [forall pay p [exists pay q FREE]] ⇒ bool
[forall pay p [forall pay q [before p q]]] ¦ [approved_by finance] ¦ [in approved [[str A]]] ⇒ bool
`;

test('a time and a duration are added, subtracted, multiplied and compared', (t) => {
  const { end } = traceRun(plan, []);
  for (const json of treesOf(TRUE)) t.true(knownOutcome(asTruth(elaborate(parse(json), end))), JSON.stringify(json));
});

test('an expression has one type, and is refused for any other', (t) => {
  for (const [texts, expected] of rowsOf(TYPED)) {
    for (const name of ['bool', 'int', 'time', 'duration']) {
      const type = parseType({ type: name }, '', [], TIMED_TYPES);
      for (const json of treesOf(texts)) {
        const code = thrownBy(() => parse(json, { type }))?.[0];
        t.is(code, name === expected ? undefined : 'TYPE_MISMATCH', `${name} ${JSON.stringify(json)}`);
      }
    }
  }
});

/** Expressions over names alone, with the code and the path of what is wrong. */
const REFUSED_NAMES = `
null ¦ ok ¦ true ¦ [] ¦ [[and]] ⇒ MALFORMED_EXPRESSION
[xor [var ok]] ¦ [count pay] ¦ [constructor 1] ⇒ UNKNOWN_OPERATOR /0
[and] ¦ [= 1] ¦ [= 1 1 1] ¦ [not [var ok] [var ok]] ¦ [var ok ok] ⇒ WRONG_ARITY
[var 1] ¦ [bool "true"] ⇒ MALFORMED_EXPRESSION /1
[var missing] ¦ [var __proto__] ⇒ UNKNOWN_NAME /1
[arg amount] ⇒ OUT_OF_SCOPE /0
1 ⇒ TYPE_MISMATCH
[and [var ok] [or [var n]]] ⇒ TYPE_MISMATCH /2/1
[= [var n] [str "1"]] ¦ [= [var state] [str open]] ¦ [= [var state] [var size]] ⇒ TYPE_MISMATCH /2
[< [var id] [str A1]] ⇒ TYPE_MISMATCH /1
[= [var state] [enum s]] ¦ [= [ite [var ok] [enum s] [enum open]] [var size]] ⇒ UNKNOWN_VALUE /2
[= [* [var n] [var n]] 1] ¦ [= [div [var n] [var n]] 1] ⇒ NOT_A_LITERAL /1/2
[= [div [var n] 0] 1] ⇒ DIVISION_BY_ZERO /1/2
[= [div [var cap] 2] 1] ⇒ TYPE_MISMATCH /1/1
[= [div 7 [dec 2.0]] 1] ⇒ TYPE_MISMATCH /1/2
[= [var n] 9007199254740992] ¦ [= [var n] -0] ⇒ MALFORMED_NUMBER /2
[= [var n] [int "01"]] ⇒ MALFORMED_NUMBER /2/1
[= [var n] [int 1.0]] ¦ [= [var n] [dec 0.0000000000000000001]] ⇒ WRONG_SCALE /2/1
[= [var n] [int ${'9'.repeat(39)}]] ⇒ TOO_MANY_DIGITS /2/1
[= [var id] [str \udc00]] ⇒ MALFORMED_STRING /2/1
`;

/** Rules of a plan. */
const REFUSED_RULES = `
[<= [sum pay p [started p]] 9] ¦ [<= [sum pay p [arg p payee]] 9] ⇒ TYPE_MISMATCH /1/3
[<= [least pay p [arg p payee]] 9] ¦ [<= [greatest pay p [arg p flag]] 9] ¦ [<= [count pay p N] 9] ⇒ TYPE_MISMATCH /1/3
[<= [sum pay p N N] 9] ⇒ TYPE_MISMATCH /1/4
[<= [sum pay p] 9] ¦ [<= [sum pay p N FREE FREE] 9] ¦ [<= [count] 9] ¦ [<= [count pay p] 9] ⇒ WRONG_ARITY /1
[= [run] [run approved_at]] ¦ [<= [sum pay N] 1] ⇒ WRONG_ARITY /1
[forall pay p] ¦ [exists pay p FREE FREE] ¦ [unique pay p] ¦ [approved_by] ⇒ WRONG_ARITY
[forall pay p N] ⇒ TYPE_MISMATCH /3
[forall nobody p FREE] ⇒ UNKNOWN_STEP /1
[forall [table nothing] p FREE] ¦ [= [run approved] [run approved_at]] ¦ [<= N 1] ⇒ UNKNOWN_NAME /1/1
[forall [map sent] p FREE] ¦ [forall [step pay] p FREE] ¦ [forall [table approved 1] p FREE] ⇒ MALFORMED_EXPRESSION /1
[forall [table 1] p FREE] ¦ [forall null p FREE] ¦ [approved_by "not a name"] ⇒ MALFORMED_EXPRESSION /1
[forall pay "not a name" FREE] ⇒ MALFORMED_EXPRESSION /2
[forall pay p [forall pay p FREE]] ⇒ MALFORMED_EXPRESSION /3/2
[unique pay p []] ¦ [unique pay p n] ⇒ MALFORMED_EXPRESSION /3
[unique pay p [N [arg p nobody]]] ¦ [forall pay p [> [resp p n] 0]] ⇒ UNKNOWN_NAME /3/1/2
[forall pay p [> [col p n] 0]] ¦ [forall [table approved] a [> [arg a amount] 0]] ⇒ UNKNOWN_NAME /3/1/2
[unique pay p [N] N] ⇒ TYPE_MISMATCH /4
[forall pay p [> [key p] 0]] ¦ [forall pay p [> [value p] 0]] ⇒ UNKNOWN_OPERATOR /3/1/0
[<= [mod [count pay] 2] 9] ⇒ UNKNOWN_OPERATOR /1/0
[forall pay p [> [arg q n] 0]] ⇒ UNKNOWN_NAME /3/1/1
[forall [table approved] a [= [started a] [run approved_at]]] ⇒ UNKNOWN_NAME /3/1/0
[forall pay p [before p q]] ⇒ UNKNOWN_NAME /3/2
[forall pay p [before p]] ⇒ WRONG_ARITY /3
[forall [table approved] a [forall pay p [before a p]]] ⇒ TYPE_MISMATCH /3/3/1
[= [started] [run approved_at]] ⇒ OUT_OF_SCOPE /1/0
[= [time soon] [run approved_at]] ¦ [= [time 2026-02-30T00:00:00.000000Z] [run approved_at]] ⇒ MALFORMED_VALUE /1/1
[< [run approved_at] 5] ⇒ TYPE_MISMATCH /2
[in approved [[str A] [str A]]] ⇒ WRONG_ARITY /2
[in denied [[str A]]] ⇒ UNKNOWN_NAME /1
[= [look approved iban [[str A]]] 1] ¦ [= [at final got [str A]] 0] ⇒ UNKNOWN_NAME /1/2
[= [+ @1 @2] @1] ¦ [= [+ @1 2] @1] ¦ [= [- 1s @1] @1] ¦ [= [- @3 2] @1] ¦ [= [min 1s @1] @1] ⇒ TYPE_MISMATCH /1/2
[= [max @1 2] @1] ⇒ TYPE_MISMATCH /1/2
[= [- @1] @1] ¦ [= [- 2 1s] @1] ¦ [= [* @1 2] @1] ¦ [= [* 1s 2s] @1] ¦ [= [min [str x] @1] @1] ⇒ TYPE_MISMATCH /1/1
[= [- @3 @2 @1] @1] ⇒ TYPE_MISMATCH /1/3
[= [* 1s [dec 1.5]] @1] ¦ [= [* 1s [+ [var n] 1]] @1] ¦ [= [* 1s [str "2"]] @1] ⇒ NOT_A_LITERAL /1/2
`;

test('a value that is not an expression is refused with its code, at its place', (t) => {
  for (const [scope, table] of [
    [NAMES, REFUSED_NAMES],
    [RULES, REFUSED_RULES],
    [{ ...RULES, relations: { ...RELATIONS, maps: undefined } }, '[= [at final sent [str A]] 1] ⇒ OUT_OF_SCOPE /1/1'],
    [
      { ...RULES, relations: { ...RULES.relations, hasRunFacts: false } },
      '[approved_by finance] ⇒ OUT_OF_SCOPE /0\n[= [run approvals] 1] ⇒ OUT_OF_SCOPE /1/0',
    ],
    [{ ...NAMES, relations: RULES.relations }, '[forall pay p FREE] ⇒ OUT_OF_SCOPE /1'],
  ] as const) {
    for (const [texts, expected] of rowsOf(table)) {
      const [code = '', path = ''] = expected.split(' ');
      for (const json of treesOf(texts))
        t.deepEqual(
          thrownBy(() => parse(json, { scope })),
          [code, `/expr${path}`],
          JSON.stringify(json),
        );
    }
  }
  refuses(t, () => parse({ 0: 'and' }), 'MALFORMED_EXPRESSION', '/expr');
  refuses(t, () => parse(['=', ['var', 'n'], 1.5]), 'MALFORMED_NUMBER', '/expr/2');
});

test('a number is converted to a type with as many decimals or more, and refused for one with fewer', (t) => {
  const money = parseType({ type: 'decimal', scale: 2 }, '');
  t.deepEqual(parse(3, { type: money }), { op: 'literal', value: 300n });
  refuses(t, () => parse(['dec', '3.000'], { type: money }), 'TYPE_MISMATCH', '/expr');
  const size = parseType({ type: 'enum', values: ['s'] }, '');
  refuses(t, () => parse(['enum', 'l'], { type: size }), 'UNKNOWN_VALUE', '/expr');
});

const nest = (depth: number): unknown => (depth === 0 ? ['var', 'ok'] : ['not', nest(depth - 1)]);
const wide = (count: number): unknown => ['and', ...Array.from({ length: count }, () => ['var', 'ok'])];
const textual = (text: string) => ['=', ['var', 'id'], ['str', text]];
const nested = (...names: readonly string[]) =>
  names.reduceRight<unknown>((body, name) => ['forall', 'pay', name, body], ['bool', true]);

test('an expression has at most 32 levels, 1,000 nodes, 64 KB and three nested aggregates', (t) => {
  const most = 65_536 - JSON.stringify(textual('')).length;
  for (const json of [
    nest(31),
    wide(999),
    textual('x'.repeat(most)),
    ['and', nested('a', 'b', 'c'), nested('a', 'b', 'c')],
  ])
    t.notThrows(() => parse(json));
  let deep: unknown = 1;
  for (let level = 0; level < 1_000_000; level += 1) deep = ['-', deep];
  for (const [json, code, path] of [
    [nest(32), 'TOO_DEEP', ''],
    [deep, 'TOO_DEEP', ''],
    [nested('a', 'b', 'c', 'd'), 'TOO_DEEP', '/3/3/3'],
    [wide(1000), 'TOO_MANY_NODES', ''],
    [textual('x'.repeat(most + 1)), 'TOO_LARGE', ''],
    [textual('€'.repeat(30_000)), 'TOO_LARGE', ''],
    [Array.from({ length: 1_000_000 }, () => 'x'), 'TOO_LARGE', ''],
  ] as const) {
    refuses(t, () => parse(json), code, `/expr${path}`);
  }
});

test('256 names are accepted, and no more', (t) => {
  const names = Array.from({ length: 257 }, (_, index) => `v${index}`);
  const scope: Scope = { names: { var: new Map(names.map((name) => [name, BOOL])) } };
  const rule = (count: number) => ['and', ...names.slice(0, count).map((name) => ['var', name])];
  t.notThrows(() => parse(rule(256), { scope }));
  refuses(t, () => parse(rule(257), { scope }), 'TOO_MANY_VARIABLES', '/expr/257');
});

test('any JSON is a rule or a DocumentError', (t) => {
  const words = fc.constantFrom(...OPERATORS.keys(), 'sum', 'var', 'int', 'dec', 'enum', 'ok', 'n', 'pay', '1');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.tuple(words).chain(([word]) => fc.array(tie('tree'), { maxLength: 3 }).map((args) => [word, ...args])),
    ),
  }));
  let refused = 0;
  fc.assert(
    fc.property(tree, (json) => {
      try {
        parse(json);
      } catch (error) {
        refused += 1;
        t.true(error instanceof DocumentError);
      }
    }),
    { numRuns: runs(2000) },
  );
  t.true(refused > runs(2000) / 2);
});

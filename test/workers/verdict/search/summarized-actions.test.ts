import test from 'ava';
import {
  type Expression,
  literal,
  type Quantified,
  type Term,
  type Unique,
} from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { variablesIn } from '../../../../workers/plan/language/walk.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import type { Element } from '../../../../workers/verdict/elaborate/element.ts';
import {
  asQuantity,
  asTruth,
  certain,
  isTruth,
  type Outcome,
  total,
} from '../../../../workers/verdict/elaborate/kleene.ts';
import { allowancesOf } from '../../../../workers/verdict/search/continuations.ts';
import { countKey, remainingActionsOf } from '../../../../workers/verdict/search/remaining-actions.ts';
import { type SummaryOptions, summarizeActions } from '../../../../workers/verdict/search/summarized-actions.ts';
import { conditionOf, openAction, outlookPlan, ruleOf, stepOf } from '../../../models/outlook-plan.ts';

const STATE = 'sent: "map(string(64), int(0..5), default 0)"';
const LOOK = 'look: { tool: look@1, times: 0..2 }';
const ROWS = Array.from({ length: 17 }, (_, at) => `{ k: ${at}, v: ${at * 2}, on: true, name: X }`);
const COLUMNS = 'columns: { k: int, v: int, on: bool, name: string(4) }';
const TABLES = `few: { key: k, ${COLUMNS}, rows: [${ROWS.slice(0, 16).join(', ')}] }, many: { key: k, ${COLUMNS}, rows: [${ROWS.join(', ')}] }`;

const nodeIn = (rule: Expression): Quantified | Unique => {
  if (rule.op === 'and' && rule.args[0] !== undefined) return nodeIn(rule.args[0]);
  const sides = 'left' in rule ? [rule.left, rule.right] : [rule];
  for (const side of sides) if ('range' in side) return side;
  throw new Error(rule.op);
};

function open(plan: Plan, options: Partial<SummaryOptions> & { readonly done?: number } = {}) {
  const { session, situation } = openAction(plan, stepOf(plan));
  const done = Array.from({ length: options.done ?? 0 }, () => ({ stepId: 'pay' }));
  const rests = remainingActionsOf(plan, allowancesOf(plan, done), { session, actionOf: () => situation });
  const summarized = summarizeActions({ plan, session, remaining: rests, changing: new Set(), ...options });
  const holds = (values: Readonly<Record<string, Value>>) =>
    session.facts.every(({ term }) => evaluate(term, new Map(Object.entries(values))) !== false);
  return { session, situation: { ...situation, summarized }, summarized, holds };
}

const valueWith = (outcome: Outcome, values: Readonly<Record<string, Value>>) =>
  evaluate(isTruth(outcome) ? outcome.isTrue : outcome.value, new Map(Object.entries(values)));
const variablesOf = (outcome: Outcome) => [...variablesIn([isTruth(outcome) ? outcome.isTrue : outcome.value])];
const keyOf = (outcome: Outcome): string => {
  const [key, ...others] = variablesOf(outcome);
  if (key === undefined || others.length > 0) throw new Error('not one variable');
  return key;
};

const parts = { tables: TABLES, state: STATE, steps: LOOK };
const overRule = (rule: string, known: Outcome, options: Parameters<typeof open>[1] = {}) => {
  const plan = outlookPlan({ ...parts, rules: [rule] });
  const opened = open(plan, options);
  return { ...opened, outcome: opened.summarized.over(nodeIn(ruleOf(plan)), known, opened.situation) };
};

const [yes, no] = [certain(literal(true)), certain(literal(false))];

test('what was done is all if no action of the step follows', (t) => {
  const known = total(literal(4n));
  t.is(overRule('count(pay) < 9', known, { done: 4 }).outcome, known);
  t.not(overRule('count(pay) < 9', known, { done: 3 }).outcome, known);
});

test('actions that follow are counted with those that were done', (t) => {
  const { outcome } = overRule('count(pay) < 9', total(literal(4n)));
  t.is(valueWith(outcome, { [countKey('pay')]: 3n }), 7n);
});

test('a count under a condition is at most that of all, and at least none', (t) => {
  const { outcome, holds } = overRule('count(pay, p, p.n > 1) < 9', total(literal(4n)));
  const key = keyOf(outcome);
  const can = [-1n, 0n, 3n, 4n].map((value) => holds({ [countKey('pay')]: 3n, [key]: value }));
  t.deepEqual(can, [false, true, true, false]);
  t.is(valueWith(outcome, { [key]: 2n }), 6n);
});

test('a sum is that of what was done and what follows', (t) => {
  const { outcome, holds } = overRule('sum(pay, p, p.n) < 9', total(literal(4n)));
  const values = (sum: bigint) =>
    Object.fromEntries([
      [countKey('pay'), 2n],
      ...variablesOf(outcome).map((key) => [key, key === countKey('pay') ? 2n : sum]),
    ]);
  t.is(valueWith(outcome, values(5n)), 9n);
  t.deepEqual(
    [-1n, 0n, 6n, 7n].map((sum) => holds(values(sum))),
    [false, true, true, false],
  );
});

test('a sum is undefined if that of what was done is', (t) => {
  const isDefined = literal(false);
  const { outcome } = overRule('sum(pay, p, p.n) < 9', { value: literal(4n), isDefined });
  t.deepEqual(asQuantity(outcome).isDefined, isDefined);
});

for (const [rule, empty] of [
  ['pay.all(p, p.n > 1)', true],
  ['unique(pay, p, p.n)', true],
  ['pay.exists(p, p.n > 1)', false],
] as const) {
  test(`${rule} is ${empty} over no actions that follow, and open over some`, (t) => {
    const { outcome, holds } = overRule(rule, empty ? yes : no);
    const key = keyOf(outcome);
    const can = (count: bigint, value: boolean) => holds({ [countKey('pay')]: count, [key]: value });
    t.deepEqual([can(0n, empty), can(0n, !empty), can(1n, empty), can(1n, !empty)], [true, false, true, true]);
    t.deepEqual([valueWith(outcome, { [key]: true }), valueWith(outcome, { [key]: false })], [true, false]);
  });
  test(`${rule} is decided if what was done decides it`, (t) => {
    t.is(valueWith(overRule(rule, empty ? no : yes).outcome, {}), !empty);
  });
}

test('the least over actions that follow is any number', (t) => {
  const { outcome, holds } = overRule('least(pay, p, p.n) < 9', total(literal(2n)));
  const key = keyOf(outcome);
  t.true(holds({ [key]: -(10n ** 80n) }) && holds({ [key]: 10n ** 80n }));
});

test('where every action has a listed row, its count decides', (t) => {
  const plan = outlookPlan({
    pay: `times: 0..4, where: 'args.invoice in approved'`,
    rules: ['count(pay, p, p.invoice == "B") < 9'],
  });
  const { summarized, situation } = open(plan);
  const outcome = summarized.over(nodeIn(ruleOf(plan)), total(literal(1n)), situation);
  t.is(
    valueWith(outcome, { '/completion/pay/rows/0': 5n, '/completion/pay/rows/1': 2n, '/completion/pay/rows/2': 7n }),
    3n,
  );
});

test('equal aggregates share what is not known of them, and others do not', (t) => {
  const plan = outlookPlan({ ...parts, rules: ['pay.exists(p, p.n > 1) && pay.exists(p, p.n > 2)'] });
  const { summarized, situation } = open(plan);
  const rule = ruleOf(plan);
  const [one, other] =
    rule.op === 'and' ? rule.args.map(nodeIn) : plan.constraints.map(({ expression }) => nodeIn(expression));
  if (one === undefined || other === undefined) throw new Error(rule.op);
  const over = (node: Quantified | Unique) => keyOf(summarized.over(node, no, situation));
  t.is(over(one), over({ ...one }));
  t.not(over(one), over(other));
});

test('an aggregate that depends on an outer element is another one for each', (t) => {
  const plan = outlookPlan({
    ...parts,
    rules: ['few.all(f, pay.exists(p, p.n > f.v))', 'few.all(f, pay.exists(p, p.n > 1))'],
  });
  const { summarized, situation } = open(plan);
  const table = plan.tables.get('few');
  const at = (number: number, row: number) => {
    const outer = nodeIn(ruleOf(plan, number));
    if (outer.op !== 'all' || outer.body === undefined || table?.rows[row] === undefined) throw new Error(outer.op);
    const bound = new Map([[outer.binder, { kind: 'row', table, row: table.rows[row] } as const]]);
    return keyOf(summarized.over(nodeIn(outer.body), no, { ...situation, bound }));
  };
  t.not(at(0, 0), at(0, 1));
  t.is(at(0, 1), at(0, 1));
  t.is(at(1, 0), at(1, 1), 'it does not depend on the row');
});

test('an aggregate is another one for each outer action', (t) => {
  const plan = outlookPlan({
    ...parts,
    rules: ['look.all(l, pay.exists(p, p.n > l.n))'],
  });
  const { summarized, situation } = open(plan);
  const none = { arg: new Map(), resp: new Map(), started: literal(0n), ended: literal(0n), span: undefined };
  const outer = nodeIn(ruleOf(plan));
  if (outer.op !== 'all' || outer.body === undefined) throw new Error(outer.op);
  const node = nodeIn(outer.body);
  const action = (position: number) => {
    const element: Element = { kind: 'action', position, ...none };
    return keyOf(summarized.over(node, no, { ...situation, bound: new Map([[outer.binder, element]]) }));
  };
  t.not(action(0), action(1));
  t.is(action(1), action(1));
});

test('a table is never open', (t) => {
  const known = certain(literal(true));
  t.is(overRule('few.all(f, f.v < 99)', known, { changing: new Set(['few']) }).outcome, known);
});

/** The outcome of one side of a condition of an action whose arguments are open. */
function lookedUp(where: string, options: Partial<SummaryOptions> & { readonly tables?: string } = {}) {
  const plan = outlookPlan({ ...parts, tables: options.tables ?? TABLES, pay: `times: 0..4, where: '${where}'` });
  const opened = open(plan, options);
  const condition = conditionOf(plan);
  const node =
    'left' in condition
      ? condition.left.op === 'look' || condition.left.op === 'at'
        ? condition.left
        : condition.right
      : condition;
  if (node.op !== 'look' && node.op !== 'in' && node.op !== 'at') throw new Error(node.op);
  const keys = node.op === 'at' ? [node.key] : node.keys;
  const key = keys.map((each) => elaborate(each, opened.situation));
  return {
    ...opened,
    outcome: opened.summarized.at(node, opened.situation, key),
    again: () => opened.summarized.at(node, opened.situation, key),
  };
}

test('small tables and known keys are written out', (t) => {
  t.is(lookedUp('args.free == few[args.n].v').outcome, undefined);
  t.is(lookedUp('args.free == many[3].v').outcome, undefined);
  t.is(lookedUp('args.n in few').outcome, undefined);
});

test('a key of which a part is open is open', (t) => {
  const rows = ROWS.map((_, at) => `{ k: ${at}, j: ${at % 4}, v: ${at * 2} }`).join(', ');
  const tables = `pairs: { key: [k, j], columns: { k: int, j: int, v: int }, rows: [${rows}] }`;
  t.is(lookedUp('args.free == pairs[[3, 3]].v', { tables }).outcome, undefined);
  for (const key of ['3, args.n', 'args.n, 3']) {
    const { outcome } = lookedUp(`args.free == pairs[[${key}]].v`, { tables });
    t.is(outcome && asQuantity(outcome).value.op, 'variable', key);
  }
});

test('a number of a large table is one within its column, if there is a row', (t) => {
  const { outcome, again, holds } = lookedUp('args.free == many[args.n].v');
  if (outcome === undefined) return t.fail('written out');
  const { value, isDefined } = asQuantity(outcome);
  t.deepEqual(again(), outcome);
  const key = keyOf(outcome);
  t.deepEqual(
    [-1n, 0n, 32n, 33n].map((each) => holds({ [key]: each })),
    [false, true, true, false],
  );
  t.is(value.op, 'variable');
  t.is(isDefined?.op, 'variable');
});

test('whether a large table has a row is open, and the same for each of its columns', (t) => {
  const plan = outlookPlan({
    ...parts,
    pay: `times: 0..4, where: 'args.free == many[args.n].v && args.m == many[args.n].k && args.n in many'`,
  });
  const { situation } = open(plan);
  const found = stepOf(plan).where.map(({ expression }) => elaborate(expression, situation));
  const there = new Set(
    found.flatMap((outcome) =>
      [...variablesIn([asTruth(outcome).isTrue])].filter(
        (key) => situation.session.variables.get(key)?.type === 'bool',
      ),
    ),
  );
  t.is(there.size, 1);
});

test('truths and texts of a large table are open', (t) => {
  const truth = lookedUp('many[args.n].on').outcome;
  t.true(truth !== undefined && isTruth(truth) && truth.isFalse !== undefined);
  const text = lookedUp('many[args.n].name == args.payee');
  t.deepEqual(text.outcome && text.session.variables.get(keyOf(text.outcome)), { type: 'string', max: 4 });
});

test('a map that may change has any value of its type, which is defined', (t) => {
  t.is(lookedUp('state.sent["A"] < 3').outcome, undefined);
  for (const where of ['state.sent[args.invoice] < 3', 'state.sent["A"] < 3']) {
    const { outcome, session } = lookedUp(where, { changing: new Set(['sent']) });
    if (outcome === undefined) return t.fail('written out');
    t.is(asQuantity(outcome).isDefined, undefined);
    t.deepEqual(session.variables.get(keyOf(outcome)), { type: 'int', min: 0n, max: 5n });
  }
});

test('different keys have different values, and equal ones the same', (t) => {
  const plan = outlookPlan({ ...parts, pay: `times: 0..4, where: 'args.n > 1'` });
  const { situation } = open(plan, { changing: new Set(['sent']) });
  const at = (key: Term) => {
    const arg = new Map([...(situation.names.arg ?? []), ['invoice', key] as const]);
    const node = {
      op: 'at',
      at: 'state',
      map: 'sent',
      key: { op: 'reference', scope: 'arg', name: 'invoice' },
      type: { type: 'int', min: 0n, max: 5n },
    } as const;
    return keyOf(elaborate(node, { ...situation, names: { ...situation.names, arg } }));
  };
  t.not(at(literal('A')), at(literal('B')));
  t.is(at(literal('A')), at(literal('A')));
});

test('nothing is in a table without rows', (t) => {
  const plan = outlookPlan({ ...parts, pay: `times: 0..4, where: 'args.n in many'` });
  const many = plan.tables.get('many');
  if (many === undefined) throw new Error('no table');
  const empty = { ...plan, tables: new Map([...plan.tables, ['many', { ...many, rows: [], rowAt: () => undefined }]]) };
  const { situation } = open(empty);
  t.is(valueWith(elaborate(conditionOf(plan), situation), {}), false);
});

import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { parseCel } from '../../../../workers/plan/text/cel/parse-cel.ts';
import { APPROVED_TABLE, compileText, planOf, planText, TOOLS, textsOf } from '../../../models/plan-texts.ts';
import { rowsOf, tree } from '../../../models/trees.ts';

/** Rules about whole runs, and their canonical form. ⏎ ends a line. A given number that is a factor is written out. */
const RULES = rowsOf(`
most == 3 && true ⇒ [and [= [var most] 3] [bool true]]
cap <= 100.00 && cap <= -0.50 ⇒ [and [<= [var cap] [dec 100.00]] [<= [var cap] [dec -0.50]]]
most < 123456789012345678901 ⇒ [< [var most] [int 123456789012345678901]]
"new" == kind && kind != "old" && name == "x"\
 ⇒ [and [= [enum new] [var kind]] [!= [var kind] [enum old]] [= [var name] [str x]]]
name in ["x", "y"] ⇒ [or [= [var name] [str x]] [= [var name] [str y]]]
flag && !flag || flag ⇒ [or [and [var flag] [not [var flag]]] [var flag]]
most + 1 + 2 - 3 - 4 == 0 ⇒ [= [- [+ [var most] 1 2] 3 4] 0]
2 * most == most * 2 && most in [] ⇒ [and [= [* 2 [var most]] [* [var most] 2]] [bool false]]
count(pay) * cap <= 75.00 ⇒ [<= [* [count pay] [dec 25.00]] [dec 75.00]]
most * count(pay) == cap * most ⇒ [= [* 3 [count pay]] [* [var cap] 3]]
sum(pay, p, p.amount * count(look)) <= cap * cap\
 ⇒ [<= [sum pay p [* [arg p amount] [count look]]] [* [var cap] [dec 25.00]]]
count(pay) * (2 * 3) == 0 ⇒ [= [* [count pay] [* 2 3]] 0]
count(pay) * count(look) / 2 == 0 ⇒ [= [div [* [count pay] [count look]] 2] 0]
count(pay) / (2 * 3) == 0 ⇒ [= [div [count pay] [* 2 3]] 0]
count(pay) / most == 0 ⇒ [= [div [count pay] 3] 0]
most * wait == duration("3h") ⇒ [= [* 3 [var wait]] [duration "10800000000"]]
-cap < 0.0 ⇒ [< [- [var cap]] [dec 0.0]]
count(pay) / 2 == count(pay) / 3 ⇒ [= [div [count pay] 2] [div [count pay] 3]]
(flag ? 1 : 2) == 1 ⇒ [= [ite [var flag] 1 2] 1]
kind == (flag ? "new" : "old") ⇒ [= [var kind] [ite [var flag] [enum new] [enum old]]]
min(most, 5) <= max(cap, 1.0, 2.00) ⇒ [<= [min [var most] 5] [max [var cap] [dec 1.0] [dec 2.00]]]
state.left >= 0.00 && state.sent["a"] <= 1 ⇒ [and [>= [final left] [dec 0.00]] [<= [at final sent [str a]] 1]]
pay.all(p, p.amount > 0.00) ⇒ [forall pay p [> [arg p amount] [dec 0.00]]]
pay.exists(p, p.id == name) ⇒ [exists pay p [= [resp p id] [var name]]]
look.all(l, l.args.kind == "new" && l.response.kind == "new")\
 ⇒ [forall look l [and [= [arg l kind] [enum new]] [= [resp l kind] [str new]]]]
size(pay) <= 2 ⇒ [<= [count pay] 2]
count(pay, p, p.amount > 1.00) <= 2 ⇒ [<= [count pay p [> [arg p amount] [dec 1.00]]] 2]
sum(pay, p, p.amount) <= cap ⇒ [<= [sum pay p [arg p amount]] [var cap]]
sum(pay, p, p.amount, p.payee == "a") <= cap ⇒ [<= [sum pay p [arg p amount] [= [arg p payee] [str a]]] [var cap]]
least(pay, p, p.amount) < greatest(pay, p, p.amount) ⇒ [< [least pay p [arg p amount]] [greatest pay p [arg p amount]]]
unique(pay, p, p.invoice) ⇒ [unique pay p [[arg p invoice]]]
unique(pay, p, [p.invoice, p.payee], p.amount > 0.00)\
 ⇒ [unique pay p [[arg p invoice] [arg p payee]] [> [arg p amount] [dec 0.00]]]
approved.all(r, r.amount > 0.00) ⇒ [forall [table approved] r [> [col r amount] [dec 0.00]]]
pay.all(p, p.invoice in approved && p.amount == approved[p.invoice].amount)\
 ⇒ [forall pay p [and [in approved [[arg p invoice]]] [= [arg p amount] [look approved amount [[arg p invoice]]]]]]
[name, most] in pairs && pairs[[name, 1]].c ⇒ [and [in pairs [[var name] [var most]]] [look pairs c [[var name] 1]]]
pay.all(p, look.exists(l, before(l, p))) ⇒ [forall pay p [exists look l [before l p]]]
pay.all(p, p.started_at - approved_at <= duration("24h"))\
 ⇒ [forall pay p [<= [- [started p] [run approved_at]] [duration "86400000000"]]]
pay.all(p, p.ended_at < timestamp("2026-12-01T00:00:00.5Z") + wait * 2)\
 ⇒ [forall pay p [< [ended p] [+ [time 2026-12-01T00:00:00.500000Z] [* [var wait] 2]]]]
look.all(l, l.since + l.took < end) ⇒ [forall look l [< [+ [resp l since] [resp l took]] [var end]]]
approvals >= 2 && approved_by("finance") ⇒ [and [>= [run approvals] 2] [approved_by finance]]
name == ")(" ⇒ [= [var name] [str )(]]
most == 3 // (two⏎ ⇒ [= [var most] 3]
most == 3 // two ⇒ [= [var most] 3]
most == // (⏎ 3 ⇒ [= [var most] 3]
[name, most] in pairs // "⏎ ⇒ [in pairs [[var name] [var most]]]
${'('.repeat(32)}flag${')'.repeat(32)} ⇒ [var flag]
flag${' '.repeat(16380)} ⇒ [var flag]
most == 0xaF ⇒ [= [var most] 175]
most == -0x10 && most > - 3 ⇒ [and [= [var most] -16] [> [var most] [- 3]]]
most < 0x${'1'.repeat(32)} ⇒ [< [var most] [int ${BigInt(`0x${'1'.repeat(32)}`)}]]
most < 9007199254740991 ⇒ [< [var most] 9007199254740991]
most < 9007199254740992 ⇒ [< [var most] [int "9007199254740992"]]
most < ${'9'.repeat(38)} ⇒ [< [var most] [int ${'9'.repeat(38)}]]
cap > 0.123456789012345678 ⇒ [> [var cap] [dec 0.123456789012345678]]
false ⇒ [bool false]
"new" == "old" && "x" != name ⇒ [and [= [str new] [str old]] [!= [str x] [var name]]]
kind == kind && end == end && end < end\
 ⇒ [and [= [var kind] [var kind]] [= [var end] [var end]] [< [var end] [var end]]]
most > cap && wait >= wait ⇒ [and [> [var most] [var cap]] [>= [var wait] [var wait]]]
most - (1 - 2) == 0 && -most - 1 == 0 ⇒ [and [= [- [var most] [- 1 2]] 0] [= [- [- [var most]] 1] 0]]
-wait < wait && wait - wait == wait ⇒ [and [< [- [var wait]] [var wait]] [= [- [var wait] [var wait]] [var wait]]]
wait + wait == wait ⇒ [= [+ [var wait] [var wait]] [var wait]]
end - end < wait ⇒ [< [- [var end] [var end]] [var wait]]
end - wait < end ⇒ [< [- [var end] [var wait]] [var end]]
wait + end > end ⇒ [> [+ [var wait] [var end]] [var end]]
2 * wait < wait && 2.5 * most > cap && cap * 2 > cap\
 ⇒ [and [< [* 2 [var wait]] [var wait]] [> [* [dec 2.5] [var most]] [var cap]] [> [* [var cap] 2] [var cap]]]
count(pay) / 2 / 3 == 0 && size(pay) / 1 == 0 ⇒ [and [= [div [div [count pay] 2] 3] 0] [= [div [count pay] 1] 0]]
count(pay, p, true) / 2 == 0 ⇒ [= [div [count pay p [bool true]] 2] 0]
approvals / 2 == 0 ⇒ [= [div [run approvals] 2] 0]
(count(pay) + 1) / 2 == 0 ⇒ [= [div [+ [count pay] 1] 2] 0]
(count(pay) * 2) / 2 == 0 ⇒ [= [div [* [count pay] 2] 2] 0]
min(count(pay), 2) / 2 == 0 ⇒ [= [div [min [count pay] 2] 2] 0]
(flag ? count(pay) : 2) / 2 == 0 ⇒ [= [div [ite [var flag] [count pay] 2] 2] 0]
sum(look, l, l.count) / 2 == 0 ⇒ [= [div [sum look l [resp l count]] 2] 0]
state.sent["a"] / 2 == 0 ⇒ [= [div [at final sent [str a]] 2] 0]
7 / 2 == 3 ⇒ [= [div 7 2] 3]
(flag ? 1 : 2.5) == 1 ⇒ [= [ite [var flag] 1 [dec 2.5]] 1]
(flag ? 2.5 : 1) == 1 ⇒ [= [ite [var flag] [dec 2.5] 1] 1]
(flag ? "a" : name) == name ⇒ [= [ite [var flag] [str a] [var name]] [var name]]
(flag ? kind : "old") == kind ⇒ [= [ite [var flag] [var kind] [enum old]] [var kind]]
most in [1, 2.0] ⇒ [or [= [var most] 1] [= [var most] [dec 2.0]]]
kind in ["new"] ⇒ [or [= [var kind] [enum new]]]
min(end, end) == end ⇒ [= [min [var end] [var end]] [var end]]
max(wait, wait) == wait ⇒ [= [max [var wait] [var wait]] [var wait]]
max(${'most, '.repeat(15)}most) > 0 ⇒ [> [max ${'[var most] '.repeat(16)}] 0]
sum(look, l, l.took) < wait ⇒ [< [sum look l [resp l took]] [var wait]]
least(look, l, l.since) < end ⇒ [< [least look l [resp l since]] [var end]]
greatest(look, l, l.took) < wait ⇒ [< [greatest look l [resp l took]] [var wait]]
unique(pay, p, [p.id, p.id, p.id, p.id]) ⇒ [unique pay p [[resp p id] [resp p id] [resp p id] [resp p id]]]
approved_by("${'a'.repeat(58)}Z_.:-9") ⇒ [approved_by ${'a'.repeat(58)}Z_.:-9]
pay.all(p, pay.all(b, look.all(c, true))) ⇒ [forall pay p [forall pay b [forall look c [bool true]]]]
pay.all(${'p'.repeat(64)}, true) ⇒ [forall pay ${'p'.repeat(64)} [bool true]]
count(approved, r, r.amount > 1.00) > 0 ⇒ [> [count [table approved] r [> [col r amount] [dec 1.00]]] 0]
pay.all(p, p.args.amount > 1.00 && p.ended_at > p.started_at)\
 ⇒ [forall pay p [and [> [arg p amount] [dec 1.00]] [> [ended p] [started p]]]]
"A1" in approved && ["A1"] in approved ⇒ [and [in approved [[str A1]]] [in approved [[str A1]]]]
`);

test('rules compile to the canonical form', (t) => {
  const rules = RULES.map(([rule]) => rule.replaceAll('⏎', '\n'));
  const plan = planOf(planText(rules.map((rule, index) => `r${index}: ${JSON.stringify(rule)}`)));
  t.notThrows(() => readPlan(plan, [], { tools: textsOf(TOOLS), tables: [APPROVED_TABLE] }));
  for (const [index, [rule, expected]] of RULES.entries()) {
    t.deepEqual(plan.constraints[index], { id: `r${index}`, expr: tree(expected) }, rule);
  }
});

test('a condition is split at the && at its top, and its state is the one before the action', (t) => {
  const wheres = (where: string) => planOf(planText([], { where })).steps[1]?.where;
  t.deepEqual(wheres('args.amount > 0.00 && (args.payee == "a" || flag) && started_at < end'), [
    { id: 'where.1', expr: tree('[> [arg amount] [dec 0.00]]') },
    { id: 'where.2', expr: tree('[or [= [arg payee] [str a]] [var flag]]') },
    { id: 'where.3', expr: tree('[< [started] [var end]]') },
  ]);
  t.deepEqual(
    wheres('state.left >= args.amount && state.sent[args.payee] == 0')?.map(({ expr }) => expr),
    tree('[[>= [state left] [arg amount]] [= [at state sent [arg payee]] 0]]'),
  );
});

test('a sum of 500 operands is one list, and an expression has at most 1,000 nodes and 256 names', (t) => {
  const sumOf = (count: number, operand = 'most') => Array(count).fill(operand).join(' + ');
  const { constraints } = planOf(planText([`r: ${sumOf(500)} > 0`]));
  t.deepEqual(constraints[0]?.expr, ['>', ['+', ...Array(500).fill(['var', 'most'])], 0]);
  t.is(compileText(planText([`r: ${sumOf(600)} > ${sumOf(600, '1')}`])).faults?.[0]?.code, 'TOO_LARGE');
  const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const values = names(200).map((name) => `${name}: true`);
  const faultsOf = (count: number) => {
    const used = [...names(count), ...names(200).map((name) => `state.${name}`)];
    const text = planText([`r: "${used.join(' || ')}"`]);
    return compileText(text.replace('cap: 25', `${values}, cap: 25`).replace('left: 80', `${values}, left: 80`)).faults;
  };
  t.is(faultsOf(56), undefined);
  t.like(faultsOf(57), [{ code: 'TOO_LARGE', line: 19, column: 7 }]);
});

test('a number before / cannot be negative, and two enums are compared if they have the same values', (t) => {
  for (const [type, rule, code] of [
    ...['int(0..)', 'int(1..9)', 'decimal(0, 0..)'].map((type) => [type, 'state.x / 2 == 0'] as const),
    ...['int(-5..9)', 'int(..9)', 'int'].map((type) => [type, 'state.x / 2 == 0', 'DIVISION'] as const),
    ['enum(old, new)', 'kind == state.x'],
    ['enum(new, older)', 'kind == state.x', 'TYPE_MISMATCH'],
  ] as const) {
    const initial = type.startsWith('enum') ? 'new' : 1;
    const state = `left: 80.00, x: { type: "${type}", initial: ${initial} }`;
    t.is(compileText(planText([`r: ${rule}`]).replace('left: 80.00', state)).faults?.[0]?.code, code, type);
  }
});

test('a text is read as CEL writes it, whatever brackets and quotes it has', (t) => {
  for (const [written, value] of Object.entries({
    ...{ '"a(\'"': "a('", "'a)\"'": 'a)"', '"\\""': '"', "'\\''": "'" },
    ...{ '"""a"(\n"""': 'a"(\n', "'''a'(\n'''": "a'(\n" },
    ...{ 'r"\\"': '\\', "R'\\'": '\\', 'r"""\\"""': '\\', "r'''\\'''": '\\' },
  }))
    t.like(parseCel(written), { kind: 'string', value }, written);
  t.like(parseCel('a // (\n'), { kind: 'name', name: 'a' });
});

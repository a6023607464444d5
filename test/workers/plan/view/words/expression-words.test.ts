import test from 'ava';
import { inWords, ruleInWords } from '../../../../../workers/plan/view/words/expression-words.ts';
import { timesInWords, typeInWords } from '../../../../../workers/plan/view/words/type-words.ts';
import { rowsOf, tree } from '../../../../models/trees.ts';

const variables = { cap: { type: 'int', value: '9' }, wait: { type: 'duration', value: '3600000000' } };

/** Expressions, and what the approver reads, in which ' is a backtick. Other words would make another plan of it. */
const WORDS = `
[< A 1] ⇒ 'args.a' is below 1
[<= A [var cap]] ⇒ 'args.a' is at most 'cap' ('9')
[> A [dec 1.50]] ⇒ 'args.a' is above '1.50'
[>= A [int "7"]] ⇒ 'args.a' is at least '7'
[= A [str x]] ⇒ 'args.a' is the text 'x'
[!= A [enum x]] ⇒ 'args.a' is not the value 'x'
[and YES NO YES] ⇒ true and false and true
[or YES [and NO YES]] ⇒ true or (false and true)
[not [= A 1]] ⇒ it is false that ('args.a' is 1)
[implies YES NO] ⇒ if true, then false
[iff YES NO] ⇒ true exactly if false
[ite YES 1 2] ⇒ 1 if true, otherwise 2
[+ 1 [- 2 3]] ⇒ 1 + (2 − 3)
[- A] ⇒ minus 'args.a'
[* A 3] ⇒ 'args.a' × 3
[<= [* A [+ A 1]] 9] ⇒ ('args.a' × ('args.a' + 1)) is at most 9
[div A 3] ⇒ 'args.a' divided by (rounded down) 3
[min 1 2 A] ⇒ the least of 1, 2 and 'args.a'
[max 1 A] ⇒ the greatest of 1 and 'args.a'
[resp b] ⇒ 'response.b'
[resp p b] ⇒ 'p.response.b'
[state s] ⇒ 'state.s'
[final s] ⇒ 'state.s' at the end
[ev id] ⇒ 'evidence.id'
[time 2026-12-01T00:00:00.000000Z] ⇒ '2026-12-01T00:00:00.000000Z'
[<= [started] [duration "5400000000"]] ⇒ the reported start is at most 1h30m
[<= [ended] [var wait]] ⇒ the reported end is at most 'wait' (1h)
[< [started p] [ended q]] ⇒ the reported start of 'p' is below the reported end of 'q'
[before p q] ⇒ 'p' has ended before 'q' starts
[run approved_at] ⇒ the time of approval
[run approvals] ⇒ the number of approvals
[approved_by finance] ⇒ a key of the group 'finance' approved
[forall pay p [= P 1]] ⇒ for every 'pay' action 'p': 'p.a' is 1
[exists pay p [= P 1]] ⇒ for some 'pay' action 'p': 'p.a' is 1
[not [exists pay p [= P 1]]] ⇒ for no 'pay' action 'p': 'p.a' is 1
[exists [table t] r [col r b]] ⇒ for some row of 't' 'r': 'r.b'
[count pay] ⇒ the number of 'pay' actions
[count pay p [= P 1]] ⇒ the number of 'pay' actions 'p' for which ('p.a' is 1)
[sum pay p P] ⇒ the sum of 'p.a' over all 'pay' actions 'p'
[sum pay p P [= P 1]] ⇒ the sum of 'p.a' over all 'pay' actions 'p' for which ('p.a' is 1)
[least [table t] r [col r b]] ⇒ the least 'r.b' over all rows of 't' 'r'
[greatest [table t] r [col r b]] ⇒ the greatest 'r.b' over all rows of 't' 'r'
[unique pay p [P [resp p b]]] ⇒ no two 'pay' actions 'p' have the same 'p.a' and 'p.response.b'
[unique pay p [P] [= P 1]] ⇒ no two 'pay' actions 'p' for which ('p.a' is 1) have the same 'p.a'
[in t [A]] ⇒ 'args.a' is in the table 't'
[in t [A 1]] ⇒ ('args.a', 1) is in the table 't'
[not [in t [A]]] ⇒ 'args.a' is not in the table 't'
[look t b [A]] ⇒ the 'b' of 'args.a' in 't'
[at state m A] ⇒ 'm' of 'args.a' before the act
[at final m A] ⇒ 'm' of 'args.a' at the end
[at state m [+ A 1]] ⇒ 'm' of ('args.a' + 1) before the act
[var gone] ⇒ 'gone'
[var args.a] ⇒ the given 'args.a'
[var 7] ⇒ the given '7'
[arg a.b] ⇒ the args 'a.b'
[arg 1a] ⇒ the args '1a'
[arg a_1] ⇒ 'args.a_1'
[arg p a.b] ⇒ the args 'a.b' of 'p'
[arg args a] ⇒ the args 'a' of 'args'
[resp state a] ⇒ the response 'a' of 'state'
[col evidence a] ⇒ the column 'a' of 'evidence'
[arg 7] ⇒ the args '7'
[and YES] ⇒ all of true
[or YES] ⇒ one of true
[+ 1] ⇒ plus 1
[or [= A 1]] ⇒ one of ('args.a' is 1)
[or [= A 1] [= A 2]] ⇒ 'args.a' is any of 1 or 2
[or [= A 1] [= A [+ 1 1]] [= A 3]] ⇒ 'args.a' is any of 1, (1 + 1) or 3
[or [= A 1] [= P 2]] ⇒ ('args.a' is 1) or ('p.a' is 2)
[or [= P 1] [!= P 2]] ⇒ ('p.a' is 1) or ('p.a' is not 2)
[or [= [+ A 1] 1] [= [+ A 1] 2]] ⇒ ('args.a' + 1) is any of 1 or 2
[< [+ A 1] 3] ⇒ ('args.a' + 1) is below 3
[< [sum pay p P] [min 1 A]] ⇒ the sum of 'p.a' over all 'pay' actions 'p' is below the least of 1 and 'args.a'
[sum pay p [+ P 1]] ⇒ the sum of ('p.a' + 1) over all 'pay' actions 'p'
[max [+ A 1] 2] ⇒ the greatest of ('args.a' + 1) and 2
[implies [= A 1] [= A 2]] ⇒ if ('args.a' is 1), then ('args.a' is 2)
[ite [= A 1] [+ A 1] 2] ⇒ ('args.a' + 1) if ('args.a' is 1), otherwise 2
[not [in t [A 1]]] ⇒ ('args.a', 1) is not in the table 't'
[in t [[+ A 1]]] ⇒ ('args.a' + 1) is in the table 't'
[count [table t] r [col r b]] ⇒ the number of rows of 't' 'r' for which 'r.b'
[unique [table t] r [[col r b]]] ⇒ no two rows of 't' 'r' have the same 'r.b'
[forall [table t] r YES] ⇒ for every row of 't' 'r': true
[dec "7"] ⇒ the decimal '7'
[dec -7.5] ⇒ '-7.5'
[duration "-5400000000"] ⇒ -1h30m
[duration x] ⇒ 'x'
[duration 1x] ⇒ '1x'
[duration x1] ⇒ 'x1'
[duration 7] ⇒ '7'
-3 ⇒ -3
[other 1] ⇒ '["other",1]'
`;

/** A, P, YES and NO stand for an argument, one of an act `p`, true and false. */
const expressionOf = (text: string) =>
  tree(
    text
      .replaceAll(/\bA\b/g, '[arg a]')
      .replaceAll(/\bP\b/g, '[arg p a]')
      .replaceAll('YES', '[bool true]')
      .replaceAll('NO', '[bool false]'),
  );

for (const [expr, words] of rowsOf(WORDS)) {
  test(`${expr} is read as "${words}"`, (t) => {
    t.is(inWords(expressionOf(expr), { variables }), words.replaceAll("'", '`'));
  });
}

test('what is no expression is read as it is', (t) => {
  t.is(inWords('text', { variables }), '`"text"`');
  t.is(inWords(undefined, { variables }), '`  ` (empty)');
});

test('a sum that has a limit is said of all acts together, and no other rule', (t) => {
  const words = (text: string) => ruleInWords(expressionOf(text), { variables });
  t.is(words('[<= [sum pay p P] [var cap]]'), 'all `pay` actions together: `a` is at most `cap` (`9`)');
  for (const rule of `[< [sum pay p P] [var cap]] ¦ [<= [var cap] [sum pay p P]] ¦ [<= [sum pay p P YES] [var cap]]
[<= [sum pay q P] [var cap]] ¦ [<= [sum pay a A] [var cap]] ¦ [<= [sum [table t] p P] [var cap]]
[<= [sum pay p [resp p a]] [var cap]]`.split(/ ¦ |\n/)) {
    t.is(words(rule), inWords(expressionOf(rule), { variables }));
  }
});

test('how often a step is done is said with both bounds', (t) => {
  for (const [min, max, words] of [
    [1, 1, 'exactly once'],
    [3, 3, 'exactly 3 times'],
    [0, 1, 'at most once'],
    [0, 2, '0 to 2 times'],
    [1, 2, '1 to 2 times'],
  ] as const)
    t.is(timesInWords(min, max), words);
});

test('a type is written as authors write it, and what is none as it is', (t) => {
  t.is(typeInWords({ type: 'int', min: '0' }), '`int(0..)`');
  t.is(typeInWords({ type: 'int', value: '3' }, 'value'), '`int`');
  t.is(
    typeInWords({ type: 'map', key: { type: 'bool' }, value: { type: 'int' }, default: '1' }),
    '`map(bool, int, default 1)`',
  );
  t.is(typeInWords({ type: 'other' }), '`{"type":"other"}`');
  t.is(typeInWords(undefined), '`  ` (empty)');
});

import test from 'ava';
import { SmtError, type SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { type CompletionOptions, searchCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { withoutNumbers } from '../../../models/abstracted-plan.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { looked, paid, payPlan } from '../../../models/pay-plan.ts';

const z3 = await sharedZ3();
const LOOK = 'look: { tool: look@1, times: 0..2 }';

type Parts = Parameters<typeof payPlan>[0];
interface Asked extends Pick<CompletionOptions, 'maxNodes' | 'runContext'> {
  readonly done?: readonly unknown[];
  /** Actions that are about to be done. */
  readonly proposed?: readonly unknown[];
  readonly solver?: SmtSolver;
  readonly rlimit?: number;
}

function search(
  parts: Parts,
  { done = [], proposed = [], solver = z3, rlimit = DEFAULT_RLIMIT, ...options }: Asked = {},
) {
  const plan = payPlan(parts);
  const actions = [...readActions(done, plan), ...readIntents(proposed, plan, done.length)];
  return searchCompletion({ plan, actions, ...options }, { solver, rlimit });
}
const verdictOn = (parts: Parts, asked: Asked = {}) => search(parts, asked).judgement.verdict;

test('a run that can be completed is satisfied, by a witness whose steps are named', (t) => {
  const parts = { pay: 'times: 1..4', steps: LOOK };
  const { judgement, reached, problem } = search(parts);
  t.is(judgement.verdict, 'satisfied');
  t.deepEqual([...reached], ['pay']);
  t.not(problem, undefined);
  t.deepEqual([...search(parts, { done: [looked(), paid()] }).reached].toSorted(), ['look', 'pay']);
  t.deepEqual([...search({ pay: 'times: 1..4, after: look', steps: LOOK }).reached].toSorted(), ['look', 'pay']);
});

test('a run that no actions can complete is violated, by the rules that contradict each other', (t) => {
  const { judgement, reached, problem } = search({ pay: 'times: 2..4', rules: ['count(pay) < 2', 'count(pay) < 9'] });
  t.is(judgement.verdict, 'violated');
  t.deepEqual(judgement.core.toSorted(), ['/completion/pay/min', '/constraints/r0']);
  t.deepEqual([...reached], []);
  t.is(problem, undefined);
});

const IF_DONE = { pay: 'times: 3..4, after: { look: if_done }', steps: 'look: { tool: look@1, times: 1..3 }' };
/** Each of two steps can only be done after the other one. */
const CIRCLE = {
  state: 'left: 0',
  pay: 'times: 0..1, where: state.left != 0',
  steps: 'look: { tool: look@1, times: 0..1, after: pay, effects: { left: state.left + 1 } }',
  rules: ['count(look) == 1'],
};
/** An action is done only in a state that the one before does not leave. */
const RICH = {
  state: 'left: 5',
  pay: `times: 0..4, where: { rich: 'state.left > 3' }, effects: { left: state.left - 5 }`,
};
const BOUNDED = {
  state: 'left: { type: "int(0..9)", initial: 5 }',
  pay: 'times: 0..4, effects: { left: state.left - 3 }',
};
const paying = (times: number, parts: Parts) => ({ ...parts, rules: [`count(pay) == ${times}`] });
const NINE = { tables: '', pay: 'times: 0..9', steps: LOOK };
const INSTANT = 'started_at == timestamp("2026-12-01T00:00:00Z")';
const HOURLY = 'pay.all(p, pay.all(q, !before(p, q) || q.started_at - p.started_at > duration("1h")))';
/** Times that no schedule has. */
const SECONDS =
  'pay.all(p, p.started_at > timestamp("2026-12-01T00:00:00Z") && p.started_at < timestamp("2026-12-01T00:00:09Z"))';
for (const [what, verdict, parts, asked] of [
  ['without any continuation', 'violated', IF_DONE, { done: [paid()] }],
  ['of steps that wait for each other', 'indeterminate', CIRCLE],
  ['with as many actions as a condition allows', 'satisfied', paying(1, RICH)],
  ['with more actions than a condition allows', 'indeterminate', paying(2, RICH)],
  ['after an action whose condition was not met', 'satisfied', { ...RICH, state: 'left: 2' }, { done: [paid()] }],
  ['with as many actions as a state allows', 'satisfied', paying(1, BOUNDED)],
  ['with more actions than a state allows', 'violated', paying(2, BOUNDED)],
  ['with as many actions as an abstraction has', 'satisfied', { ...NINE, rules: ['count(pay) == 5'] }],
  ['with as many actions of two steps', 'satisfied', { ...NINE, rules: ['count(pay) == 5', 'count(look) == 1'] }],
  ['with more than eight texts', 'satisfied', { pay: 'times: 12..20', rules: ['unique(pay, p, p.invoice)'] }],
  ['with more than eight open numbers', 'satisfied', { pay: 'times: 9..9', rules: ['sum(pay, p, p.n) == 10'] }],
  ['at an instant that a rule names', 'satisfied', { pay: 'times: 1..4', rules: [`pay.all(p, p.${INSTANT})`] }],
  ['at an instant that a condition names', 'satisfied', { pay: `times: 1..4, where: '${INSTANT}'` }],
  ['at distances that a rule names', 'satisfied', { tables: '', pay: 'times: 12..20', rules: [HOURLY] }],
  ['at times between those of schedules', 'satisfied', { pay: 'times: 1..4', rules: [SECONDS] }],
  ['of which every attempt is too large', 'indeterminate', { pay: 'times: 1..4' }, { maxNodes: 3 }],
  ['that is too large and impossible', 'violated', { pay: 'times: 2..4', rules: ['count(pay) < 2'] }, { maxNodes: 3 }],
] as const) {
  test(`a completion ${what} is ${verdict}`, (t) => {
    t.is(verdictOn(parts, asked), verdict);
  });
}

/** Three actions cannot differ in a truth value, which no abstraction sees. */
const UNDECIDED = { tables: '', rules: ['unique(pay, p, p.flag)'] };

test('what is neither possible nor ruled out names the rules that the best attempt broke', (t) => {
  const { judgement, reached } = search({ ...UNDECIDED, pay: 'times: 3..20' });
  t.is(judgement.verdict, 'indeterminate');
  t.deepEqual([...reached], []);
  t.deepEqual(
    judgement.reasons.map(({ code, path }) => [code, path]),
    [['SOLVER_GAVE_UP', '/constraints/r0']],
  );
  t.regex(judgement.reasons[0]?.message ?? '', /obeys \/constraints\/r0,/);
  t.deepEqual(judgement.core, []);
});

test('the attempt that broke the fewest rules is the best', (t) => {
  // Three actions break the first rule. More of them break the others, too.
  const rules = ['unique(pay, p, p.flag)', 'count(pay) < 5', 'count(pay) < 6', 'count(pay) < 7'];
  const { judgement } = search({ tables: '', pay: 'times: 3..20', rules });
  t.is(judgement.reasons[0]?.path, '/constraints/r0');
  t.false(judgement.reasons[0]?.message.includes('/constraints/r1'));
  // The other way round: three actions break all rules but the first.
  const more = ['unique(pay, p, p.flag)', 'count(pay) > 3', 'count(pay) > 4'];
  t.is(search({ tables: '', pay: 'times: 3..20', rules: more }).judgement.reasons[0]?.path, '/constraints/r0');
});

/** What the solver is asked, if it takes so many steps for each answer. */
function countChecks(
  parts: Parts,
  { used, rlimit, ...asked }: Asked & { readonly used: number; readonly rlimit: number },
) {
  const limits: number[] = [];
  const solver: SmtSolver = {
    check(query) {
      limits.push(query.rlimit);
      return { ...z3.check({ ...query, rlimit: DEFAULT_RLIMIT }), rlimitUsed: used };
    },
  };
  const verdict = verdictOn(parts, { ...asked, solver, rlimit });
  return { limits, verdict };
}

test('an attempt gets half of the steps of a question, and the abstraction all', (t) => {
  const parts = { ...UNDECIDED, pay: 'times: 3..3' };
  t.deepEqual(
    [...new Set(countChecks(parts, { used: 0, rlimit: 1001 }).limits)].toSorted((a, b) => a - b),
    [500, 1001],
  );
  t.deepEqual([...new Set(countChecks(parts, { used: 0, rlimit: 1 }).limits)], [1], 'at least one');
});

test('attempts end when they have taken twice the steps of a question', (t) => {
  const parts = { ...UNDECIDED, pay: 'times: 3..20' };
  const halves = ({ limits }: ReturnType<typeof countChecks>) => limits.filter((limit) => limit === 500).length;
  const [all, some] = [countChecks(parts, { used: 0, rlimit: 1000 }), countChecks(parts, { used: 3000, rlimit: 1000 })];
  t.deepEqual([all.verdict, some.verdict], ['indeterminate', 'indeterminate']);
  t.true(halves(all) > halves(some), `${halves(all)} and ${halves(some)}`);
});

test('after three attempts that were too hard, no more are made', (t) => {
  let [attempts, abstractions] = [0, 0];
  const solver: SmtSolver = {
    check({ rlimit }) {
      if (rlimit === 500) attempts += 1;
      else abstractions += 1;
      return { status: 'unknown', reason: 'tired', rlimitUsed: 1, script: '' };
    },
  };
  const { judgement } = search(
    { tables: '', pay: 'times: 1..8', steps: LOOK, rules: ['sum(pay, p, p.n) > 0'] },
    { solver, rlimit: 1000 },
  );
  t.is(judgement.verdict, 'indeterminate');
  t.regex(judgement.reasons[0]?.message ?? '', /obeys the rules together/);
  t.deepEqual([attempts, abstractions], [3, 1]);
});

test('a solver that fails or lies is a fault of the engine, in an attempt and in the abstraction, before anything else is tried', (t) => {
  const failing = (parts: Parts, isAsked: (rlimit: number) => boolean, asked: Asked = {}) => {
    const solver: SmtSolver = {
      check(query) {
        if (isAsked(query.rlimit)) throw new SmtError('no');
        return z3.check({ ...query, rlimit: DEFAULT_RLIMIT });
      },
    };
    const { judgement, reached } = search(parts, { ...asked, solver, rlimit: 1000 });
    return [judgement.verdict, ...reached];
  };
  const liar: SmtSolver = {
    check(query) {
      const answer = z3.check(query);
      if (answer.status !== 'sat') return answer;
      return { ...answer, model: new Map([...answer.model].map(([name, value]) => [name, value === true || 1n])) };
    },
  };
  t.is(verdictOn({ pay: 'times: 2..2', rules: ['sum(pay, p, p.n) == 5'] }, { solver: liar }), 'engine_error');
  const inAbstraction = (rlimit: number) => rlimit === 1000;
  const parts = { ...UNDECIDED, pay: 'times: 3..20' };
  t.is(failing(parts, (rlimit) => rlimit === 500)[0], 'engine_error');
  t.deepEqual(failing(parts, inAbstraction), ['engine_error']);
  t.deepEqual(
    failing(IF_DONE, () => true, { done: [paid()] }),
    ['engine_error'],
  );
  t.deepEqual(failing({ pay: 'times: 0..4', rules: ['count(pay) == 1'] }, inAbstraction), ['engine_error']);
});

test('after an abstraction that decides, nothing more is tried', (t) => {
  const parts = { pay: 'times: 1..4', rules: ['sum(pay, p, p.n) > 12'] };
  const { limits, verdict } = countChecks(parts, { used: 0, rlimit: 1000 });
  t.is(verdict, 'violated');
  t.true(limits.lastIndexOf(500) < limits.indexOf(1000), limits.join());
});

const { response: _response, started_at: _start, ended_at: _end, ...INTENT } = paid();
for (const [what, parts, proposed] of [
  ['a rule', { rules: [`pay.all(p, p.${INSTANT})`, 'count(pay) == 1'] }, []],
  ['a condition', { pay: `times: 1..1, where: { on_time: '${INSTANT}', small: 'args.n == 1' }` }, []],
  ['a condition of the next action', { pay: `times: 1..1, where: { on_time: '${INSTANT}' }` }, [INTENT]],
] as const) {
  test(`a simple schedule that ${what} names needs no search for times`, (t) => {
    const runContext = { approvals: [{ at: '2026-11-02T00:00:00.000000Z', group: 'finance' }] };
    const plan = { pay: 'times: 1..1', steps: LOOK, tables: '', ...parts };
    t.is(verdictOn(plan, { solver: withoutNumbers, runContext, proposed }), 'satisfied');
  });
}

test('other times are tried only where a rule about times is broken', (t) => {
  const runContext = { approvals: [{ at: '2026-11-02T00:00:00.000000Z', group: 'finance' }] };
  const attempts = (parts: Parts) => {
    const { limits } = countChecks({ tables: '', ...parts }, { used: 0, rlimit: 1000, runContext });
    return limits.filter((limit) => limit === 500).length;
  };
  const until = (day: string) => `started_at <= timestamp("${day}T00:00:00Z")`;
  const inRule = (day: string) =>
    attempts({ pay: 'times: 2..2', rules: ['sum(pay, p, p.n) == 7', `pay.all(p, p.${until(day)})`] });
  const inCondition = (day: string) =>
    attempts({ pay: `times: 2..2, where: '${until(day)}'`, rules: ['sum(pay, p, p.n) == 7'] });
  // An instant after the plan has expired is never tried.
  t.is(inRule('2026-12-01'), inRule('2027-12-09'));
  t.is(inCondition('2026-12-01'), inCondition('2027-12-09'));
});

test('if the next action may wait, its start is open', (t) => {
  const parts = {
    pay: 'times: 1..1',
    tables: '',
    rules: ['pay.all(p, p.started_at >= timestamp("2026-12-01T00:00:00Z"))'],
  };
  const from = { at: '2026-11-20T00:00:00.000000Z' };
  const started = (start: { readonly at: string; readonly until?: string }) =>
    search(parts, { runContext: { start } }).problem?.variables.has('/completion/0/started_at');
  t.true(started({ ...from, until: '2026-12-02T00:00:00.000000Z' }));
  t.not(verdictOn(parts, { runContext: { start: { ...from, until: '2026-11-21T00:00:00.000000Z' } } }), 'satisfied');
});

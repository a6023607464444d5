import test from 'ava';
import {
  lintVerdict,
  malformed,
  type ReasonCode,
  toJudgement,
  undecided,
} from '../../../../workers/verdict/run/judgement.ts';

const REASONS: readonly (readonly [string, ReasonCode])[] = [
  ['/actions/0/step', 'UNKNOWN_STEP'],
  ['/actions/0/tool', 'WRONG_TOOL'],
  ['/actions/0/where/reads', 'CONDITION_BROKEN'],
  ['/actions/1/after/look', 'OUT_OF_ORDER'],
  ['/actions/1/state/reads', 'STATE_OUT_OF_RANGE'],
  ['/actions/0/post/reads', 'POST_BROKEN'],
  ['/actions/0/response', 'RESPONSE_DIVERGES'],
  ['/actions/0/response/reads', 'RESPONSE_DIVERGES'],
  ['/actions/0', 'TOO_MANY_RECORDED'],
  ['/max_recorded', 'TOO_MANY_RECORDED'],
  ['/steps/pay/min', 'TOO_FEW'],
  ['/steps/pay/max', 'TOO_MANY'],
  ['/intents', 'DEVIATED_FROM_PROPOSAL'],
  ['/actions/0/started_at/approved', 'BEFORE_APPROVAL'],
  ['/actions/0/ended_at/received', 'AFTER_RECEIPT'],
  ['/actions/0/ended_at/started', 'NOT_MONOTONE'],
  ['/actions/1/started_at/order', 'NOT_MONOTONE'],
  ['/completion/pay/where/reads', 'NOT_COMPLETABLE'],
  ['/completion/pay/state/refundable', 'NOT_COMPLETABLE'],
  ['/constraints/reads', 'CONSTRAINT_BROKEN'],
  ['/actions/1/evidence/receipt/min', 'EVIDENCE_MISSING'],
  ['/actions/1/evidence/receipt/0/reads', 'EVIDENCE_UNREADABLE'],
  ['/actions/1/evidence/receipt/0/binds/amount', 'EVIDENCE_CONTRADICTS'],
  ['/sheets/0/within', 'CONSTRAINT_BROKEN'],
  ['/sheets/0/bind/cap', 'CONSTRAINT_BROKEN'],
  ['/actions/1/sheets/0/within', 'CONSTRAINT_BROKEN'],
  ['/actions/1/overlap/balance', 'OVERLAPPING'],
  ['/actions/0/started_at/expired', 'AFTER_EXPIRY'],
  ['/actions/1/response/min', 'RESPONSE_DIVERGES'],
  ['/actions/1/order/pay', 'OUT_OF_ORDER'],
  ['/completion/actions/0/post/small', 'NOT_COMPLETABLE'],
  ['/responses', 'CONTRADICTION'],
];

const VIOLATED = { verdict: 'violated', engine: 'z3', core: [], question: 'holds', checks: [] } as const;

for (const [id, code] of REASONS) {
  test(`the reason for a broken ${id} is ${code}`, (t) => {
    // A run may have more than ten actions.
    for (const path of [id, id.replace(/^\/actions\/\d/, '/actions/137')]) {
      const { reasons } = toJudgement({ ...VIOLATED, broken: [path] });
      t.deepEqual(
        reasons.map((reason) => [reason.path, reason.code]),
        [[path, code]],
      );
    }
  });
}

for (const id of [
  ...['/actions/0/steps', '/actions/0/toolbox', '/actions/0/responses', '/actions/0/', '/max_recorded/0', '/intents/0'],
  ...['/steps/pay/minutes', '/steps/pay/max/0', '/actions/0/started_at/approved/0', '/actions/0/started_at/expired/0'],
  ...['/actions/0/ended_at/received/0', '/actions/0/ended_at/started/0', '/actions/0/started_at/order/0'],
  ...['/actions/1/evidence/receipt/min/0', '/actions/1/evidence/receipt/0/reads/0', '/steps/a/b/min', '/steps/a/b/max'],
  ...['step', 'tool', 'where/a', 'after/a', 'order/a', 'overlap/a', 'state/a', 'post/a', 'response', 'sheets/0'].map(
    (part) => `/a/actions/0/${part}`,
  ),
  ...['/a/max_recorded', '/a/actions/0', '/a/steps/pay/min', '/a/steps/pay/max', '/a/intents', '/a/constraints/b'],
  ...['/a/completion/b', '/actions/a/step', '/actions/a', '/actions/0/a/sheets/0'],
]) {
  test(`${id}, which only resembles the id of a rule, has no reason of its own`, (t) => {
    const message = 'is broken';
    t.deepEqual(toJudgement({ ...VIOLATED, broken: [id] }).reasons, [{ code: 'CONTRADICTION', path: id, message }]);
  });
}

test('a judgement about which the solver was not asked has no core and no checks', (t) => {
  const unasked = { core: [], engine: 'none', checks: [] };
  const reason = { code: 'SOLVER_GAVE_UP', path: '', message: 'too hard' } as const;
  t.deepEqual(undecided(reason), { verdict: 'indeterminate', question: 'holds', reasons: [reason], ...unasked });
  t.deepEqual(malformed('possible', { path: '/title', message: 'is missing' }), {
    verdict: 'invalid_input',
    question: 'possible',
    reasons: [{ code: 'MALFORMED', path: '/title', message: 'is missing' }],
    ...unasked,
  });
});

for (const [verdict, codes] of [
  ['satisfied', []],
  ['violated', []],
  ['indeterminate', ['NOT_DECIDED']],
  ['engine_error', ['NOT_DECIDED']],
] as const) {
  test(`lint of a judgement that is ${verdict}: ${codes}`, (t) => {
    const reasons = [{ code: 'SOLVER_GAVE_UP', path: '', message: 'rlimit' }] as const;
    const lint = lintVerdict({ verdict, question: 'possible', reasons, core: [], engine: 'z3', checks: [] });
    t.deepEqual(
      lint.map(({ code }) => code),
      [...codes],
    );
    for (const { message } of lint) t.regex(message, /: rlimit$/);
  });
}

test('rules that hold for some open values only are named with such values', (t) => {
  const [holding, failing] = [
    new Map<string, string | boolean>([
      ['/a', '1.50'],
      ['/b', true],
    ]),
    new Map([['/a', '2.50']]),
  ];
  const open = { verdict: 'underdetermined', engine: 'z3', question: 'holds', checks: [], holding, failing } as const;
  const [reason] = toJudgement(open).reasons;
  t.is(reason?.message, 'the rules hold with /a "1.50", /b true, but not with /a "2.50"');
});

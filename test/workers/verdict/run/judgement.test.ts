import test from 'ava';
import {
  type Judgement,
  lintVerdict,
  malformed,
  type ReasonCode,
  toJudgement,
  undecided,
} from '../../../../workers/verdict/run/judgement.ts';

/** The ids of rules that have each reason, and ids that only resemble those of rules. */
const REASONS: Readonly<Partial<Record<ReasonCode, string>>> = {
  UNKNOWN_STEP: '/actions/0/step',
  WRONG_TOOL: '/actions/0/tool',
  CONDITION_BROKEN: '/actions/0/where/reads',
  OUT_OF_ORDER: '/actions/1/after/look /actions/1/order/pay',
  STATE_OUT_OF_RANGE: '/actions/1/state/reads',
  POST_BROKEN: '/actions/0/post/reads',
  RESPONSE_DIVERGES: '/actions/0/response /actions/0/response/reads /actions/1/response/min',
  TOO_MANY_RECORDED: '/actions/0 /max_recorded',
  TOO_FEW: '/steps/pay/min',
  TOO_MANY: '/steps/pay/max',
  DEVIATED_FROM_PROPOSAL: '/intents',
  BEFORE_APPROVAL: '/actions/0/started_at/approved',
  AFTER_RECEIPT: '/actions/0/ended_at/received',
  AFTER_EXPIRY: '/actions/0/started_at/expired',
  NOT_MONOTONE: '/actions/0/ended_at/started /actions/1/started_at/order',
  NOT_COMPLETABLE: '/completion/pay/where/reads /completion/pay/state/refundable /completion/actions/0/post/small',
  CONSTRAINT_BROKEN: '/constraints/reads /sheets/0/within /sheets/0/bind/cap /actions/1/sheets/0/within',
  EVIDENCE_MISSING: '/actions/1/evidence/receipt/min',
  EVIDENCE_UNREADABLE: '/actions/1/evidence/receipt/0/reads',
  EVIDENCE_CONTRADICTS: '/actions/1/evidence/receipt/0/binds/amount',
  OVERLAPPING: '/actions/1/overlap/balance',
  CONTRADICTION: `/responses
/actions/0/steps /actions/0/toolbox /actions/0/responses /actions/0/ /max_recorded/0 /intents/0 /steps/pay/minutes
/steps/pay/max/0 /actions/0/started_at/approved/0 /actions/0/started_at/expired/0 /actions/0/ended_at/received/0
/actions/0/ended_at/started/0 /actions/0/started_at/order/0 /actions/1/evidence/receipt/min/0
/actions/1/evidence/receipt/0/reads/0 /steps/a/b/min /steps/a/b/max /a/actions/0/step /a/actions/0/tool
/a/actions/0/where/a /a/actions/0/after/a /a/actions/0/order/a /a/actions/0/overlap/a /a/actions/0/state/a
/a/actions/0/post/a /a/actions/0/response /a/actions/0/sheets/0 /a/max_recorded /a/actions/0 /a/steps/pay/min
/a/steps/pay/max /a/intents /a/constraints/b /a/completion/b /actions/a/step /actions/a /actions/0/a/sheets/0`,
};

const VIOLATED = { verdict: 'violated', engine: 'z3', core: [], question: 'holds', checks: [] } as const;

for (const [code, ids] of Object.entries(REASONS)) {
  test(`the reason for a broken ${ids} is ${code}`, (t) => {
    for (const id of ids.split(/\s/)) {
      // A run may have more than ten actions.
      for (const path of [id, id.replace(/^\/actions\/\d/, '/actions/137')]) {
        t.like(toJudgement({ ...VIOLATED, broken: [path] }).reasons, [{ code, path }]);
      }
    }
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

test('a judgement that decides nothing has lint', (t) => {
  const reasons = [{ code: 'SOLVER_GAVE_UP', path: '', message: 'rlimit' }] as const;
  const lint = (verdict: Judgement['verdict']) => lintVerdict({ ...VIOLATED, verdict, question: 'possible', reasons });
  for (const verdict of ['satisfied', 'violated'] as const) t.deepEqual(lint(verdict), []);
  for (const verdict of ['indeterminate', 'engine_error'] as const) {
    t.like(lint(verdict), [{ code: 'NOT_DECIDED' }]);
    t.regex(lint(verdict)[0]?.message ?? '', /: rlimit$/);
  }
});

test('rules that hold for some open values only are named with such values', (t) => {
  const holding = new Map(Object.entries({ '/a': '1.50', '/b': true }));
  const failing = new Map([['/a', '2.50']]);
  const open = { verdict: 'underdetermined', engine: 'z3', question: 'holds', checks: [], holding, failing } as const;
  const [reason] = toJudgement(open).reasons;
  t.is(reason?.message, 'the rules hold with /a "1.50", /b true, but not with /a "2.50"');
});

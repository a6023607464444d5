import test from 'ava';
import { checkProposal, preflight, readRecorded } from '../../../../workers/verdict/check/check-actions.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import type { CheckName } from '../../../../workers/verdict/run/checked.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { planOf, textsOf, toolsIn } from '../../../models/plan-texts.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const TOOLS = toolsIn(`tools:
  mail.send@1.0.0:
    effect: write
    args: { to: "string(254, email)" }
    responds: { id: string(64) }
`);

const documents = (where: string, times = '0..3', rows = '[{ email: ben@example.org }]') => ({
  plan: planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
tables:
  out: { key: email, columns: { email: string(254) }, rows: ${rows} }
steps:
  sendMail: { tool: mail.send@1, times: ${times}, where: ${JSON.stringify(where)} }
rules: { once: "unique(sendMail, s, s.to)" }
`,
    TOOLS,
  ),
  tools: textsOf(TOOLS),
});

const intent = (to: string) => ({ step_id: 'sendMail', tool: 'mail.send', tool_version: '1.0.0', args: { to } });
const time = '2026-12-01T00:00:00.000000Z';
const recorded = (to: string) => ({ ...intent(to), response: { id: 'm' }, started_at: time, ended_at: time });

test('another spelling of an address is refused everywhere, with the one that counts', (t) => {
  const plan = documents('!(args.to in out)');
  const propose = (to: string, check: CheckName, mode: 'complete' | 'prefix' = 'complete') =>
    checkProposal({ ...plan, actions: [intent(to)] }, { check, mode, solver: by }).judgement;
  for (const to of ['Ben@example.org', 'ben@example.org ', '\ufeffben@example.org', 'be\u200bn@example.org']) {
    const next = preflight({ ...plan, done: [], action: intent(to) }, by).alignment;
    for (const { verdict, reasons } of [propose(to, 'plan_alignment'), propose(to, 'constraints', 'prefix'), next]) {
      t.is(verdict, 'invalid_input', to);
      t.like(reasons[0], { path: '/actions/0/args/to', message: 'is not folded (email): write "ben@example.org"' });
    }
    // What was done is kept as it was sent.
    const { actions } = readRecorded({ ...plan, actions: [recorded(to)] });
    t.like(actions[0]?.fault, { code: 'NOT_FOLDED', path: '/actions/0/args/to' });
  }
  t.is(propose('ben@example.org', 'plan_alignment').verdict, 'violated');
  t.is(propose('ada@example.org', 'plan_alignment').verdict, 'satisfied');
});

const EITHER = 'args.to == "Ben@example.org" || args.to == "Eve@example.org"';
const listed = (other: string) => `[{ email: "Ben@example.org" }, { email: "${other}" }]`;
for (const [where, times, verdict, rows] of [
  [EITHER, '1..3', 'vacuous'],
  ['args.to in out', '1..3', 'vacuous', listed('Eve@example.org')],
  ['args.to in out', '1..3', 'satisfied', listed('eve@example.org')],
  ['args.to in out', '2..3', 'vacuous', listed('eve@example.org')],
  ['true', '600..600', 'satisfied'],
  ['args.to != "A"', '30..30', 'satisfied'],
] as const) {
  test(`${times} mails where ${where}, of ${rows ?? 'any'}: open addresses are folded, so the plan is ${verdict}`, (t) => {
    const { plan, tools } = documents(where, times, rows);
    t.is(checkPlan(plan, by, { tools }).judgement.verdict, verdict);
  });
}

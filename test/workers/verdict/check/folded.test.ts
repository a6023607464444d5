import test from 'ava';
import { checkProposal, preflight, readRecorded } from '../../../../workers/verdict/check/check-actions.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
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

const SPELLINGS = ['Ben@example.org', 'ben@example.org ', '\ufeffben@example.org', 'be\u200bn@example.org'];

test('another spelling of an address is refused everywhere, with the one that counts', (t) => {
  const plan = documents('!(args.to in out)');
  for (const to of SPELLINGS) {
    const answers = [
      checkProposal({ ...plan, actions: [intent(to)] }, { check: 'plan_alignment', mode: 'complete', solver: by })
        .judgement,
      checkProposal({ ...plan, actions: [intent(to)] }, { check: 'constraints', mode: 'prefix', solver: by }).judgement,
      preflight({ ...plan, done: [], action: intent(to) }, by).alignment,
    ];
    for (const { verdict, reasons } of answers) {
      t.is(verdict, 'invalid_input', to);
      t.like(reasons[0], { path: '/actions/0/args/to', message: 'is not folded (email): write "ben@example.org"' });
    }
    t.like(readRecorded({ ...plan, actions: [recorded(to)] }).fault, {
      code: 'NOT_FOLDED',
      path: '/actions/0/args/to',
    });
  }
  const check = { check: 'plan_alignment', mode: 'complete', solver: by } as const;
  t.is(checkProposal({ ...plan, actions: [intent('ben@example.org')] }, check).judgement.verdict, 'violated');
  t.is(checkProposal({ ...plan, actions: [intent('ada@example.org')] }, check).judgement.verdict, 'satisfied');
});

test('no run is possible with an address that nobody can write', (t) => {
  const { plan, tools } = documents('args.to == "Ben@example.org" || args.to == "Eve@example.org"', '1..3');
  t.is(checkPlan(plan, by, { tools }).judgement.verdict, 'vacuous');
  const listed = documents('args.to in out', '1..3', '[{ email: "Ben@example.org" }, { email: "Eve@example.org" }]');
  t.is(checkPlan(listed.plan, by, { tools }).judgement.verdict, 'vacuous');
  const one = documents('args.to in out', '1..3', '[{ email: "Ben@example.org" }, { email: eve@example.org }]');
  t.is(checkPlan(one.plan, by, { tools }).judgement.verdict, 'satisfied');
  const two = documents('args.to in out', '2..3', '[{ email: "Ben@example.org" }, { email: eve@example.org }]');
  t.is(checkPlan(two.plan, by, { tools }).judgement.verdict, 'vacuous');
});

test('many open addresses are chosen folded', (t) => {
  const { plan, tools } = documents('true', '600..600');
  t.is(checkPlan(plan, by, { tools }).judgement.verdict, 'satisfied');
  const some = documents('args.to != "A"', '30..30');
  t.is(checkPlan(some.plan, by, { tools }).judgement.verdict, 'satisfied');
});

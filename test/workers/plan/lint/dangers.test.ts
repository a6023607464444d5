import test from 'ava';
import { findDangers } from '../../../../workers/plan/lint/dangers.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';
import { dangersOf } from '../../../models/view.ts';

const CATALOGUE = `tools:
  look@1.0.0: { args: { order: string(64) }, responds: { id: string(64) } }
  grant@1.0.0: { effect: write, args: { user: int, role: "enum(reader, admin)" }, responds: { id: string(64), left: int } }
  pay@1.0.0:
    { effect: revenue_write, identity: id,AMOUNTS
      args: { m: "decimal(2, 0..)", fee: decimal(2), to: string(64), code: string(3), unit: "enum(cent, euro)" },
      responds: { id: string(64), got: "decimal(2, 0..1)", m: "decimal(2, 0..)" } }
`;

/** Parts of the plan; `evidence` is of the kind `r`. Without `amounts`, the catalogue does not say what moves. */
type Case = Partial<Record<'tool' | 'where' | 'evidence' | 'times' | 'more' | 'amounts', string>>;

const READS =
  'type: application/json, reads: { id: "string(64) at /id", n: "decimal(2) at /n", k: "int at /k", who: "string(64) at /who" }';

/** What lint finds: codes, and paths with messages. The step comes after one that only reads. */
function found(one: Case) {
  const { tool = 'pay', where = 'true', times = '1', more = '', amounts = 'args.m in EUR' } = one;
  const tools = toolsIn(CATALOGUE.replace('AMOUNTS', amounts === '' ? '' : ` amounts: ${amounts},`));
  const r =
    one.evidence === undefined ? '' : `r: { ${READS}, times: ${times}, where: ${JSON.stringify(one.evidence)} }`;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
steps:
  look: { tool: look@1, times: 0..3 }
  act: { tool: ${tool}@1, times: 0..3, where: ${JSON.stringify(where)}, evidence: { ${[r, more].filter((part) => part !== '').join(', ')} } }
`,
    tools,
  );
  return dangersOf(plan, { tools })
    .filter(({ code }) => code !== 'ARGUMENT_NOT_FOLDED')
    .map(({ code, path, message }) => [code, `${path}: ${message}`]);
}

const TIED = 'args.to == "Acme" && args.code == "EUR" && args.unit == "euro"';
const SMALL = `${TIED} && args.m <= 5.00`;
const FULL = 'r.n == args.m';

/** What a finding says, of what is in the place of X. */
const SAYS: Readonly<Record<string, string>> = {
  NO_EVIDENCE: 'evidence: act writes, and asks for no evidence',
  EVIDENCE_NOT_BOUND: 'evidence: no evidence of act equals an argument or the response: that of another act passes',
  EVIDENCE_WITHOUT_AMOUNT: 'evidence: no evidence of act equals X',
  ARGUMENT_FREE: 'where: nothing says what X of act must be: the agent chooses it',
  AMOUNT_UNBOUNDED: 'where: nothing limits the sum of X of act',
  AMOUNT_KNOWN_LATE: 'where: X of act is known only after the act: a limit refutes the run then',
  CURRENCY_OPEN: 'where: X of act says the currency or the unit, and has no one value',
  AMOUNT_NOT_DESCRIBED: 'where: nothing says what money X moves: describe it in the catalogue, with amounts',
  AMOUNT_MAY_BE_NEGATIVE:
    'where: args.fee of act may be negative, so that limits of sums can be evaded: add args.fee > 0',
};
const S = `s: { ${READS}, TIMESwhere: s.id == response.id }`;

/** Plans, and what is found in them. */
const CASES = `
tool: look ⇒
tool: look; evidence: true ⇒
tool: grant ⇒ NO_EVIDENCE
tool: grant; evidence: r.id == response.id ⇒
tool: grant; evidence: response.id == r.id ⇒
tool: grant; evidence: r.k == args.user ⇒
tool: grant; evidence: r.k >= 0 && r.k == args.user ⇒
tool: grant; evidence: r.k >= args.user ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.k != args.user ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.k == args.user || r.k == 0 ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.id == "x" ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.id == r.who ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: args.user == response.left ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: true ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.k + 1 == args.user ⇒
tool: grant; evidence: r.id == response.id; times: 0..1 ⇒ NO_EVIDENCE
tool: grant; evidence: true; more: ${S.replace('TIMES', '')} ⇒
tool: grant; evidence: true; more: ${S.replace('TIMES', 'times: 0..2, ')} ⇒ EVIDENCE_NOT_BOUND
tool: grant; evidence: r.id == response.id; times: 0..1; more: s: { type: text/plain } ⇒ EVIDENCE_NOT_BOUND
where: SMALL; evidence: FULL ⇒
where: SMALL ⇒ NO_EVIDENCE
where: SMALL; evidence: r.n == args.fee ⇒ EVIDENCE_WITHOUT_AMOUNT args.m
where: SMALL; evidence: r.n == response.m ⇒ EVIDENCE_WITHOUT_AMOUNT args.m
where: SMALL; evidence: r.n == args.m - 1.00 ⇒
where: SMALL; evidence: FULL; times: 0..1; more: ${S.replace('TIMES', '')} ⇒ EVIDENCE_WITHOUT_AMOUNT args.m
where: args.m <= 5.00; evidence: FULL ⇒ ARGUMENT_FREE code, ARGUMENT_FREE to, ARGUMENT_FREE unit
where: TIED; evidence: FULL ⇒ AMOUNT_UNBOUNDED args.m
where: args.m <= 5.00 && args.to == "EUR" && args.code == args.to && args.unit == "cent"; evidence: FULL ⇒
where: args.m <= 5.00 && args.to == args.code && args.code == args.to && args.unit == "cent"; evidence: FULL\
 ⇒ ARGUMENT_FREE code, ARGUMENT_FREE to
where: SMALL; evidence: FULL; amounts: [args.m in EUR, response.got in EUR]\
 ⇒ EVIDENCE_WITHOUT_AMOUNT response.got, AMOUNT_KNOWN_LATE response.got
where: args.to == "Acme" && args.m <= 5.00; evidence: FULL; amounts: [args.m in args.unit args.code, args.m in\
 args.code] ⇒ ARGUMENT_FREE code, ARGUMENT_FREE unit, AMOUNT_UNBOUNDED args.m, CURRENCY_OPEN args.unit,\
 CURRENCY_OPEN args.code
where: TIED; evidence: r.n == args.fee; amounts: args.fee in EUR ⇒ AMOUNT_MAY_BE_NEGATIVE
where: TIED; evidence: FULL; amounts:  ⇒ AMOUNT_NOT_DESCRIBED pay@1.0.0, AMOUNT_MAY_BE_NEGATIVE, AMOUNT_UNBOUNDED args.m
`;

test('an act that writes needs evidence, and one that moves money a limit and arguments that no agent chooses', (t) => {
  for (const [text, expected] of rowsOf(
    CASES.replaceAll('SMALL', SMALL).replaceAll('FULL', FULL).replaceAll('TIED', TIED),
  )) {
    const findings = expected.split(', ').flatMap((finding) => {
      const [code = '', of = ''] = finding.split(' ');
      return code === '' ? [] : [[code, `/steps/1/${SAYS[code]?.replace('X', of)}`]];
    });
    t.deepEqual(found(partsOf(text)), findings, text);
  }
});

test('rules over the runs are looked at beside the rules', (t) => {
  const dangers = (rules: string, runs: string) =>
    findDangers(
      payPlan({
        executions: '2',
        steps: 'look: { tool: look@1, times: 0..3 }',
        rules: [rules],
        runs: `all: '${runs}'`,
      }),
    ).flatMap(({ code, path }) => (code === 'HOLDS_FOR_NOTHING' ? [path] : []));
  t.deepEqual(dangers('true', 'look.all(l, l.open > 0)'), ['/runs/0']);
  t.deepEqual(dangers('count(look) >= 1', 'look.all(l, l.open > 0)'), []);
  // Another run may have looked.
  t.deepEqual(dangers('look.all(l, l.open > 0)', 'count(look) >= 1'), ['/constraints/0']);
});

import { canonicalText } from '../../workers/exact/canonical-json.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { toolsIn } from './plan-texts.ts';

const TOOLS = toolsIn(`tools:
  mail.send@1.0.0:
    effect: write
    args: { to: string(254) }
    responds: { id: string(64) }
  db.backup@1.0.0:
    effect: write
    args: { name: string(64) }
    responds: { id: string(64) }
  db.migrate@1.0.0:
    effect: write
    args: { name: string(64) }
    responds: { id: string(64) }
`);

const USES: Readonly<Record<string, readonly [tool: string, argument: string]>> = {
  send: ['mail.send', 'to'],
  backup: ['db.backup', 'name'],
  migrate: ['db.migrate', 'name'],
};

export const APPROVED_AT = '2026-11-02T00:00:00.000000Z';

interface SmallPlan {
  /** As YAML. */
  readonly steps: string;
  readonly rules?: readonly string[];
  readonly tables?: string;
  readonly expires?: string;
  readonly recorded?: number;
}

/** The canonical text of a plan over steps `send`, `backup` and `migrate`, whose rules are r0, r1, … */
export function smallPlan({
  steps,
  rules = [],
  tables = '{}',
  expires = '2027-12-05T00:00:00Z',
  recorded = 1000,
}: SmallPlan): string {
  const text = `plan: A small plan
expires: ${expires}
recorded: ${recorded}
tables: ${tables}
steps:
${steps}
rules: { ${rules.map((rule, index) => `r${index}: '${rule}'`).join(', ')} }
`;
  const { plan, faults } = compilePlan(text, { tools: TOOLS, sheets: [], tables: new Map() });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return canonicalText(plan);
}

/** What a task of the solver says of such a plan. */
export const asTask = (plan: string) => ({
  plan,
  sheets: [],
  tools: TOOLS.map(canonicalText),
  runContext: { approvals: [{ at: APPROVED_AT, group: 'finance' }] },
});

export function intent(step: string, value = 'ann@example.org') {
  const [tool = '', argument = ''] = USES[step] ?? [];
  return { step_id: step, tool, tool_version: '1.0.0', args: { [argument]: value } };
}

/** An action that was done on the day of the approval, or at another time of November 2026. */
export function done(step: string, started: string, ended = started, value?: string) {
  const at = (time: string) => `2026-11-${time.includes('T') ? time : `02T${time}`}.000000Z`;
  return { ...intent(step, value), response: { id: 'x' }, started_at: at(started), ended_at: at(ended) };
}

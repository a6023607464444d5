import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { type PlanInput, readWholePlan, toTask } from '../../../cli/tollhouse/plans/plan-input.ts';

const FOLDER = new URL('../../../../docs/verified-execution/examples/', import.meta.url);
const APPROVALS = [{ at: '2026-11-01T10:00:00.000000Z', group: 'management' }];
const SIZE = 500;

type Example = PlanInput & { readonly plan: PlanDocument };
interface Act {
  readonly step_id: string;
  readonly args: object;
  readonly response: object;
}

const nameOf = (path: string) => path.replace('.runs', '');
const example = (name: string): Example =>
  readWholePlan(fileURLToPath(new URL(name, FOLDER)), { tools: fileURLToPath(new URL('tools.yaml', FOLDER)) });

/** The check of each example plan when it is created. */
export const createExamples = (): readonly SolverTask[] =>
  globSync('*.runs.yaml', { cwd: FOLDER }).map((name) => ({ kind: 'propose', ...toTask(example(nameOf(name))) }));

/** Whether a second invoice may be paid, under the example plan of at most 200 payments. */
export function preflightPayment(): SolverTask {
  const input = example('payment-run.yaml');
  const pay = (invoice: string, amount: string, payee: string): Act => ({
    step_id: 'pay',
    args: { invoice, amount, payee },
    response: { id: `t-${invoice}`, status: 'booked' },
  });
  const [first, second] = [pay('N-1', '1200.00', 'Acme'), pay('N-2', '640.50', 'Borealis')].map(toAction(input));
  const { step_id, tool, tool_version, args } = Object(second);
  return {
    kind: 'preflight',
    ...toTask(input),
    done: JSON.stringify([first]),
    action: JSON.stringify({ step_id, tool, tool_version, args }),
    runContext: { approvals: APPROVALS },
  };
}

/** Runs of 500 messages, and of 500 updates after as many reads, under the example plans with room for them. */
export function largeExamples(): readonly SolverTask[] {
  const campaign = withRoom(example('campaign.yaml'));
  const subscribers = Array.from({ length: SIZE }, (_, index) => ({ email: `p${index}@example.com`, language: 'en' }));
  const text = subscribers.map((row) => `${JSON.stringify(row)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const table = { ...campaign.plan.tables['subscribers'], rows: SIZE, sha256 };
  const sent = { ...campaign, document: { ...campaign.plan, tables: { ...campaign.plan.tables, subscribers: table } } };
  const messages = subscribers.map(({ email }, index) => ({
    step_id: 'send',
    args: { to: email, template: 'winter-en' },
    response: { id: `m${index}` },
  }));
  const crm = withRoom(example('crm-update.yaml'));
  const customers = Array.from({ length: SIZE }, (_, index) => `C${index}`);
  const reads = customers.map((id, index) => ({
    step_id: 'read',
    args: { id },
    response: { revision: `${index}`, owner: '' },
  }));
  const updates = customers.map((id, index) => ({
    step_id: 'update',
    args: { id, revision: `${index}`, owner: index % 2 === 0 ? 'anna' : 'ben' },
    response: { revision: `${index + 1}` },
  }));
  return [
    ...checks({ ...sent, tables: [...campaign.tables, { sha256, text }] }, messages),
    ...checks(crm, [...reads, ...updates]),
  ];
}

function withRoom(input: Example): Example {
  const steps = input.plan.steps.map((step) => ({ ...step, max: SIZE }));
  const plan = { ...input.plan, steps, max_recorded: 2 * SIZE };
  return { ...input, plan, document: plan };
}

const checks = (input: Example, acts: readonly Act[]): readonly SolverTask[] =>
  (['plan_alignment', 'constraints'] as const).map((check) => ({
    kind: 'check_run',
    check,
    ...toTask(input),
    actions: JSON.stringify(acts.map(toAction(input))),
    runContext: { approvals: APPROVALS },
  }));

function toAction({ plan }: Example) {
  return ({ step_id, args, response }: Act, index: number) => {
    const step = plan.steps.find((each) => each.step_id === step_id);
    const [tool, tool_version] = (step?.tool ?? '').split('@');
    const at = new Date(Date.parse('2026-11-01T11:00:00Z') + index * 1000).toISOString().replace('Z', '000Z');
    return { step_id, tool, tool_version, args, response, started_at: at, ended_at: at };
  };
}

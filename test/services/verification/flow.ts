import { createHash, randomUUID } from 'node:crypto';
import { type Ending, readPlanFile, readRun, readRunFiles } from '../../../scripts/cli/try/run-file.ts';
import type { Callers, Channel } from './verification-process.ts';

const TIMEOUT_MS = 60_000;

/** A write of the flow, ready to be sent as often as one likes. */
export interface Write {
  readonly name: WriteName;
  send(idempotencyKey: string): Promise<{ readonly answer: string; readonly replayed: boolean }>;
}

export type WriteName = Exclude<Ending['at'], 'proof'>;

export const WRITES: readonly WriteName[] = [
  'create_plan',
  'approve_plan',
  'plan_alignment',
  'constraints',
  'execute',
  'evidence',
  'replay_verify',
];

/** Goes through the run `as-planned` up to a step, and hands that one out. */
export async function prepareWrite(service: Channel, callers: Callers, wanted: WriteName): Promise<Write> {
  const run = readRun(readRunFiles().get('as-planned') ?? '', randomUUID());
  const settings = { timeoutMs: TIMEOUT_MS };
  const answers = new Map<WriteName, Record<string, unknown>>();
  const id = (step: WriteName, field: string) => String(answers.get(step)?.[field]);
  const { agent, approver } = callers;
  const now = () => `${new Date().toISOString().slice(0, -1)}000Z`;
  const intents = run.actions.map(({ response: _, ...intent }) => intent);
  const proposal = () => {
    const plan = { plan_id: id('create_plan', 'plan_id'), plan_hash: id('create_plan', 'plan_hash') };
    return JSON.stringify({ ...plan, mode: 'complete', actions: intents });
  };
  let execution: string | undefined;
  const send: Readonly<Record<WriteName, Write['send']>> = {
    create_plan: (idempotencyKey) =>
      service.call(
        (client) => client.createPlan,
        { caller: agent, idempotencyKey, arguments: JSON.stringify({ plan: readPlanFile() }) },
        settings,
      ),
    approve_plan: (idempotencyKey) =>
      service.call(
        (client) => client.approvePlan,
        {
          caller: approver,
          idempotencyKey,
          planId: id('create_plan', 'plan_id'),
          arguments: JSON.stringify({ plan_hash: id('create_plan', 'plan_hash') }),
        },
        settings,
      ),
    plan_alignment: (idempotencyKey) =>
      service.call(
        (client) => client.verifyPlanAlignment,
        { caller: agent, idempotencyKey, arguments: proposal() },
        settings,
      ),
    constraints: (idempotencyKey) =>
      service.call(
        (client) => client.verifyConstraints,
        { caller: agent, idempotencyKey, arguments: proposal() },
        settings,
      ),
    execute: (idempotencyKey) => {
      const at = now();
      // The same request however often it is sent.
      execution ??= JSON.stringify({
        plan_id: id('create_plan', 'plan_id'),
        plan_hash: id('create_plan', 'plan_hash'),
        alignment_check_id: id('plan_alignment', 'check_id'),
        constraints_check_id: id('constraints', 'check_id'),
        actions: run.actions.map((action) => ({ ...action, started_at: at, ended_at: at })),
      });
      const request = { caller: agent, idempotencyKey, arguments: execution };
      return service.call((client) => client.recordExecution, request, settings);
    },
    evidence: (idempotencyKey) => {
      const actions = answers.get('execute')?.['actions'] as readonly { readonly action_id: string }[];
      const artifacts = run.evidence.map(({ seq, kind, media_type, content }) => {
        const bytes = Buffer.from(JSON.stringify(content));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return { action_id: actions[seq]?.action_id, kind, media_type, sha256, bytes_base64: bytes.toString('base64') };
      });
      const executionId = id('execute', 'execution_id');
      const request = { caller: agent, idempotencyKey, executionId, arguments: JSON.stringify({ artifacts }) };
      return service.call((client) => client.submitEvidence, request, settings);
    },
    replay_verify: (idempotencyKey) =>
      service.call(
        (client) => client.verifyExecution,
        { caller: agent, idempotencyKey, executionId: id('execute', 'execution_id'), arguments: '{}' },
        settings,
      ),
  };
  for (const name of WRITES) {
    if (name === wanted) break;
    answers.set(name, JSON.parse((await send[name](randomUUID())).answer) as Record<string, unknown>);
  }
  return { name: wanted, send: send[wanted] };
}

import { createHash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { type Ending, readPlanFile, readRun, readRunFiles, readToolFile } from '../../../scripts/cli/try/run-file.ts';
import { createJsonReader, createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Callers, Channel } from './verification-process.ts';

const TIMEOUT_MS = 60_000;
const readAnswer = createJsonReader(Type.Record(Type.String(), Type.Unknown()), 'the answer');
const readActions = createReader(Type.Array(Type.Object({ action_id: Type.String() })), 'the recorded actions');

/** A write of the flow. It can be sent any number of times. */
export interface Write {
  readonly name: WriteName;
  send(idempotencyKey: string): Promise<{ readonly answer: string; readonly replayed: boolean }>;
}

export type WriteName = Exclude<Ending['at'], 'proof'> | 'withdraw_approval';

export const WRITES: readonly WriteName[] = [
  'create_plan',
  'approve_plan',
  'plan_alignment',
  'constraints',
  'execute',
  'evidence',
  'replay_verify',
  'withdraw_approval',
];

/** Does the run `as-planned` up to the wanted step. @returns that step, not sent yet */
export async function prepareWrite(service: Channel, callers: Callers, wanted: WriteName): Promise<Write> {
  const run = readRun(defined(readRunFiles().get('as-planned')), randomUUID());
  const settings = { timeoutMs: TIMEOUT_MS };
  const answers = new Map<WriteName, ReturnType<typeof readAnswer>>();
  const member = (step: WriteName, field: string) => defined(defined(answers.get(step))[field]);
  const id = (step: WriteName, field: string) => String(member(step, field));
  const { agent, approver } = callers;
  const now = () => `${new Date().toISOString().slice(0, -1)}000Z`;
  const intents = run.actions.map(({ response: _, ...intent }) => intent);
  const proposal = () => {
    const plan = { plan_id: id('create_plan', 'plan_id'), plan_hash: id('create_plan', 'plan_hash') };
    return JSON.stringify({ ...plan, mode: 'complete', actions: intents });
  };
  const ofPlan = () => ({
    params: { plan_id: id('create_plan', 'plan_id') },
    arguments: JSON.stringify({ plan_hash: id('create_plan', 'plan_hash') }),
  });
  const ofExecution = () => ({ execution_id: id('execute', 'execution_id') });
  for (const tool of readToolFile()) {
    const described = { caller: approver, arguments: JSON.stringify({ tool }) };
    await service.ask('createTool', described, settings);
  }
  let execution: string | undefined;
  const send: Readonly<Record<WriteName, Write['send']>> = {
    create_plan: (idempotencyKey) =>
      service.ask(
        'createPlan',
        { caller: agent, idempotencyKey, arguments: JSON.stringify({ plan_text: readPlanFile() }) },
        settings,
      ),
    approve_plan: (idempotencyKey) =>
      service.ask('approvePlan', { caller: approver, idempotencyKey, ...ofPlan() }, settings),
    plan_alignment: (idempotencyKey) =>
      service.ask('verifyPlanAlignment', { caller: agent, idempotencyKey, arguments: proposal() }, settings),
    constraints: (idempotencyKey) =>
      service.ask('verifyConstraints', { caller: agent, idempotencyKey, arguments: proposal() }, settings),
    execute: (idempotencyKey) => {
      const at = now();
      // Every call sends the same request.
      execution ??= JSON.stringify({
        plan_id: id('create_plan', 'plan_id'),
        plan_hash: id('create_plan', 'plan_hash'),
        alignment_check_id: id('plan_alignment', 'check_id'),
        constraints_check_id: id('constraints', 'check_id'),
        actions: run.actions.map((action) => ({ ...action, started_at: at, ended_at: at })),
      });
      const request = { caller: agent, idempotencyKey, arguments: execution };
      return service.ask('recordExecution', request, settings);
    },
    evidence: (idempotencyKey) => {
      const actions = readActions(member('execute', 'actions'));
      const artifacts = run.evidence.map(({ seq, kind, media_type, content }) => {
        const bytes = Buffer.from(JSON.stringify(content));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const { action_id } = defined(actions[seq]);
        return { action_id, kind, media_type, sha256, bytes_base64: bytes.toString('base64') };
      });
      const request = {
        caller: agent,
        idempotencyKey,
        params: ofExecution(),
        arguments: JSON.stringify({ artifacts }),
      };
      return service.ask('submitEvidence', request, settings);
    },
    replay_verify: (idempotencyKey) =>
      service.ask(
        'verifyExecution',
        { caller: agent, idempotencyKey, params: ofExecution(), arguments: '{}' },
        settings,
      ),
    withdraw_approval: (idempotencyKey) =>
      service.ask('withdrawApproval', { caller: approver, idempotencyKey, ...ofPlan() }, settings),
  };
  for (const name of WRITES) {
    if (name === wanted) break;
    answers.set(name, readAnswer((await send[name](randomUUID())).answer));
  }
  return { name: wanted, send: send[wanted] };
}

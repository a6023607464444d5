import { Type } from 'typebox';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { defineOperation, type Operation } from '../../../../gateway/operations/operation/operation.ts';
import { currentHost } from '../engine/host.ts';

/** What the service of an operation does. It may fail, and it takes time. */
export interface Executions {
  readonly all: { readonly tag: string; readonly atMs: number; endedMs?: number }[];
}

const Request = Type.Object({ tag: Type.String() });
const Response = Type.Object({ tag: Type.String(), run: Type.Integer() });

/** Failures of operations, most of them ours. */
const FAILURES = ['OVERLOADED', 'UPSTREAM_FAILURE', 'DOCUMENT_TOO_LARGE'] as const;
export const OPERATION_TIMEOUT_MS = 10_000;

/** An operation that counts its executions. The answer names the execution, so that two of them differ. */
export function createOperation(executions: Executions, priceMicroUsd: bigint): Operation {
  return defineOperation({
    name: 'simulated',
    operationId: 'lab_simulated',
    path: '/api/v1/lab/simulated',
    summary: 'An operation of the simulation',
    description: 'Answers which execution it was.',
    priceMicroUsd,
    timeoutMs: OPERATION_TIMEOUT_MS,
    request: Request,
    response: Response,
    requestExample: { tag: 'a' },
    responseExample: { tag: 'a', run: 1 },
    async execute({ tag }) {
      const host = currentHost();
      if (host === undefined) throw new Error('an operation ran outside of the simulation');
      const { world } = host;
      const execution: Executions['all'][number] = { tag, atMs: world.nowMs() };
      const run = executions.all.push(execution);
      world.note(() => `${host.name} executes ${tag}, run ${run}`);
      const isSlow = world.random.chance(0.05);
      await new Promise<void>((resolve) => host.after(isSlow ? world.random.between(1000, 9000) : 5, resolve));
      execution.endedMs = world.nowMs();
      if (world.random.chance(0.05)) throw new AppError(world.random.pick(FAILURES), 'the operation failed');
      return { tag, run };
    },
  });
}

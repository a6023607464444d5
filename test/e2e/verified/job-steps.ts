import type { ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { type Answer, headerOf, rawRequest } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { type Refund, receiptOf, recordRefund } from './refund.ts';
import type { SharedVerifiedStack, TestTenant } from './verified-stack.ts';

const Job = Type.Object({
  job_id: Type.String(),
  state: Type.String(),
  attempts: Type.Number(),
  answer: Type.Union([VerifyExecutionAnswer, Type.Null()]),
  error: Type.Union([Type.Object({ code: Type.String() }), Type.Null()]),
});
type Job = Type.Static<typeof Job>;
const readJob = createReader(Job, 'the job');

const ENDED = ['succeeded', 'failed', 'cancelled'];

interface Asked {
  readonly prefer?: string;
  readonly key?: string;
  readonly body?: string;
}

/** The steps of verifications as jobs, as functions. */
export function createJobSteps(stack: Pick<SharedVerifiedStack, 'urls' | 'owner'>, tenant: TestTenant) {
  const read = (path: string, key = tenant.keys.reader) =>
    rawRequest(stack.urls[0] + path, { method: 'GET', headers: { authorization: `Bearer ${key}` } });

  async function countProofs(executionId: string): Promise<number> {
    const rows = await stack.owner
      .selectFrom('verification.proof')
      .select('proof_id')
      .where('execution_id', '=', executionId)
      .execute();
    return rows.length;
  }

  return {
    read,
    countProofs,

    /** A refund with evidence, ready to be verified. */
    async refundWithEvidence(payment: string): Promise<Refund> {
      const refund = await recordRefund(tenant, payment);
      await tenant.agent.post(`/api/v1/executions/${refund.executionId}/evidence`, { artifacts: [receiptOf(refund)] });
      return refund;
    },

    verify: (
      executionId: string,
      idempotencyKey: string,
      { prefer = 'respond-async', key = tenant.keys.agent, body = '{}' }: Asked = {},
    ) =>
      rawRequest(`${stack.urls[0]}/api/v1/executions/${executionId}/verify`, {
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          prefer,
        },
        body,
      }),

    /** Waits for the end of the job at the location in the answer of its submission. */
    endOf: (submitted: Answer): Promise<Job> =>
      until(async () => {
        const job = readJob((await read(headerOf(submitted, 'location'))).json);
        return ENDED.includes(job.state) ? job : undefined;
      }),

    async isProven(t: ExecutionContext, { executionId }: Refund, job: Job): Promise<void> {
      t.like(job, { state: 'succeeded', error: null });
      const { json } = await read(`/api/v1/verifications/${job.answer?.verification_id}`);
      t.deepEqual<unknown, unknown>(job.answer, json);
      t.is(job.answer?.state, 'verified');
      t.is((await read(`/api/v1/proofs/${job.answer?.proof_id}`)).status, 200);
      t.is(await countProofs(executionId), 1);
    },
  };
}

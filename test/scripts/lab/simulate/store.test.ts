import { randomBytes } from 'node:crypto';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import {
  createSimulatedClaimRecords,
  createSimulatedClaimsWitness,
} from '../../../../scripts/lab/simulate/store/simulated-claim-records.ts';
import { createSimulatedUnfinalClaims } from '../../../../scripts/lab/simulate/store/simulated-finality.ts';
import {
  createSimulatedObligations,
  createSimulatedRetention,
} from '../../../../scripts/lab/simulate/store/simulated-retention.ts';
import type { Statement } from '../../../../scripts/lab/simulate/store/statements.ts';
import { createTables } from '../../../../scripts/lab/simulate/store/tables.ts';
import { createObligations } from '../../../../services/backoffice/obligations.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import type { RetainedCall } from '../../../../services/backoffice/retention/retained-call.ts';
import { createRetention } from '../../../../services/backoffice/retention/retention.ts';
import { createClaimsWitness } from '../../../../services/payments/claims/claims-witness.ts';
import { createPostgresClaimRecords } from '../../../../services/payments/claims/postgres-claim-records.ts';
import { createUnfinalClaims } from '../../../../services/payments/finality/unfinal-claims.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newClaim } from '../../../services/backoffice/retention/new-claim.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const claim = { ...newClaim(), fromBlock: 7n };
const { network } = claim;
const asset = `0x${'a'.repeat(40)}` as const;
const scope = { network, asset };

function createReal() {
  const cipher = createBodyCipher([{ id: 'k', secret: randomBytes(32) }]);
  return {
    retention: createRetention({ database, cipher }),
    obligations: createObligations(database),
    records: createPostgresClaimRecords({ database, ...scope }),
    unfinal: createUnfinalClaims({ database, ...scope }),
    witness: createClaimsWitness(database, network),
  };
}

function createSimulated(): ReturnType<typeof createReal> {
  const tables = createTables(Date.now);
  const statement: Statement = async (_, run) => run();
  return {
    retention: createSimulatedRetention(tables, statement),
    obligations: createSimulatedObligations(tables, statement),
    records: createSimulatedClaimRecords(tables, statement, scope),
    unfinal: createSimulatedUnfinalClaims(tables, statement, scope),
    witness: createSimulatedClaimsWitness(tables, statement, network),
  };
}

const NOW = Date.now();
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const newId = () => uuidv7({ msecs: NOW });
const [paid, superseding, other] = [newId(), newId(), newId()];
const transaction = `0x${'1'.repeat(64)}` as const;
const block = { number: 9n, hash: `0x${'2'.repeat(64)}` as const };
const key = { payer: claim.payer as typeof asset, nonce: claim.nonce as typeof transaction };

const callOf = (recordId: string, changes: Pick<RetainedCall, 'claim'> & Partial<RetainedCall>): RetainedCall => ({
  recordId,
  requestId: newId(),
  operation: 'simulated',
  requestBody: Buffer.from('{"a":1}'),
  responseBody: Buffer.from(`{"of":"${recordId}"}`),
  dueAt: new Date(NOW - 1000),
  ...changes,
});

const settled = { state: 'settled', paymentResponseJson: '{"success":true}' } as const;
const failed = { state: 'failed', final: false, paymentResponseJson: '{"success":false}' } as const;

/** What the product does with its store, step by step. Each step answers something that both stores must answer. */
async function act({ retention, obligations, records, unfinal, witness }: ReturnType<typeof createReal>) {
  const answers: unknown[] = [];
  const see = async (what: string, answer: Promise<unknown>) => {
    answers.push([what, await answer.catch((error: Error) => error.name)]);
  };
  const payment = callOf(paid, { claim });
  await see('retain a payment', retention.retain(payment));
  await see('retain it again', retention.retain(payment));
  await see('another execution of it', retention.retain(callOf(superseding, { claim })));
  await see(
    'a payment that is due later',
    retention.retain(
      callOf(other, {
        claim: { ...newClaim(), network: 'eip155:6' },
        dueAt: new Date(NOW + 3_600_000),
      }),
    ),
  );
  const bodyOf = async (id: string) => (await retention.read(id))?.responseBody.toString();
  for (const id of [paid, superseding, other]) await see('read', bodyOf(id));
  await see('due', obligations.takeDue(10));
  await see('due again', obligations.takeDue(10));

  await see('find', records.find(key));
  await see('find by id', records.findById(paid));
  await see('find another network', records.findById(other));
  await see('sent before', unfinal.sent(FIRST_ID, 10));
  await see('note', records.noteTransaction(paid, transaction));
  await see('sent', unfinal.sent(FIRST_ID, 10));
  await see('sent after it', unfinal.sent(paid, 10));
  await see('close as failed', records.close({ claimId: paid, transaction: undefined, outcome: failed }));
  await see('found as failed', records.findById(paid));
  await see('close as settled', records.close({ claimId: paid, transaction, outcome: settled }));
  await see('close as failed again', records.close({ claimId: paid, transaction: undefined, outcome: failed }));
  await see('found as settled', records.findById(paid));
  await see('note too late', records.noteTransaction(paid, block.hash));

  await see('unlocated', unfinal.unlocated(FIRST_ID, 10));
  await see('missing', unfinal.noteMissing(paid));
  await see('was missing', unfinal.unlocated(FIRST_ID, 10));
  await see('locate', unfinal.locate(paid, { transaction, block }));
  await see('located', unfinal.unlocated(FIRST_ID, 10));
  await see('blocks', unfinal.blocks());
  await see('forget', unfinal.forget(block));
  await see('forget again', unfinal.forget(block));
  await see('locate again', unfinal.locate(paid, { transaction, block }));
  await see('finalize', unfinal.finalize(block));
  await see('final blocks', unfinal.blocks());
  await see('lose what is final', unfinal.lose(paid, 'reason'));
  await see('found as final', records.findById(paid));

  const at = (epoch: string, sequence: bigint) => ({ epoch, sequence });
  await see('claims', witness.attest(at('one', 4n)));
  await see('claims of another epoch', witness.attest(at('two', 9n)));
  await see('accept from another epoch', witness.accept(at('three', 2n), 'two'));
  await see('still the first', witness.attest(at('one', 1n)));
  await see('accept', witness.accept(at('two', 2n), 'one'));
  await see('the second', witness.attest(at('two', 1n)));
  return answers;
}

test('the simulated store answers like PostgreSQL', async (t) => {
  const real = createReal();
  await real.retention.createPartitions(NOW);
  const expected = await act(real);
  t.deepEqual(await act(createSimulated()), expected);
});

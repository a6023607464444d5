import test from 'ava';
import { VERSIONS } from '../../../../services/verification/contract/versions.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { encodeProofFile } from '../../../../services/verification/proof/encode-proof-file.ts';
import { publishIssuerKey, publishLogKey } from '../../../../services/verification/proof/keys.ts';
import { hashRecords } from '../../../../services/verification/records/record-hashes.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look, pay } from '../../../models/refund-run.ts';
import { createTestLog, factsOf, issuer, log } from '../../../services/verification/proof/test-proof.ts';
import { openFiles } from './files.ts';
import { commandIn } from './run-command.ts';

const PLAN_ID = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
const EXECUTION_ID = '01a1ff10-ab22-7009-9a2f-8dff3c2533c5';
const OTHER_ENGINE = 'tollhouse-one-independent-verification-1.0.0';

const facts = factsOf(0);
const { approved_at, received_at } = facts.predicate;
/** A run without the receipt that the plan requires. The engine finds that its evidence is violated. */
const records = {
  records_format: 2,
  tenant_id: facts.tenantId,
  plan_id: PLAN_ID,
  plan: REFUND_PLAN,
  sheets: [],
  approved_at,
  execution_id: EXECUTION_ID,
  proposed_intents_hash: '0'.repeat(64),
  received_at,
  actions: [look, pay('80.00', '0.00')],
  artifacts: [],
  approvals: [{ by: PLAN_ID, group: 'finance', at: approved_at }],
  tools: [],
  tables: [],
};
const hashes = hashRecords({
  plan: records.plan,
  actions: records.actions,
  artifacts: [],
  approvedAt: approved_at,
  receivedAt: received_at,
  proposedIntents: records.proposed_intents_hash,
  approvals: records.approvals,
});

async function proofBy(engine: string): Promise<Buffer> {
  const { inputs_hash, intents_hash, evidence_hash } = hashes;
  const testLog = await createTestLog(1, 0, () => ({
    ...facts,
    plan: { id: PLAN_ID, sha256: hashes.plan_hash },
    execution: { id: EXECUTION_ID, sha256: hashes.execution_hash },
    artifacts: [],
    predicate: {
      ...facts.predicate,
      inputs: { inputs_hash, intents_hash, evidence_hash },
      versions: { ...facts.predicate.versions, engine },
    },
  }));
  return encodeProofFile(testLog.proof(0, 1));
}

const run = commandIn({}, 'verify-proof');

type Change = (content: Uint8Array) => Uint8Array;
const asIs: Change = (content) => content;

/** @param changed how the files of the proof and of the records are stored */
async function verify(
  engine: string,
  given: object,
  changed: { readonly proof?: Change; readonly records?: Change } = {},
) {
  const { proof = asIs, records: ofRecords = asIs } = changed;
  const { keep, remove } = openFiles();
  const keys = canonicalBytes({ keys: [publishIssuerKey(issuer), publishLogKey(log)] });
  const args = ['--keys', keep('keys', keys), '--records', keep('records', ofRecords(canonicalBytes(given)))];
  try {
    return await run(keep('proof', proof(await proofBy(engine))), ...args);
  } finally {
    remove();
  }
}

test('verdicts of another engine are not checked and end with exit code 3', async (t) => {
  const { exitCode, errors: message, output } = await verify(OTHER_ENGINE, records);
  t.is(exitCode, 3, message);
  t.true(
    message.startsWith(
      `VERDICTS NOT CHECKED: they were made by an engine that this version does not have: ${OTHER_ENGINE}`,
    ),
  );
  t.is(output, 'signature and log  valid\nrecords            every hash is the same');
});

const withNewline: Change = (content) => Buffer.concat([content, Buffer.from('\n')]);
const indented: Change = (content) => Buffer.from(JSON.stringify(JSON.parse(Buffer.from(content).toString()), null, 2));

for (const [how, change] of [
  ['a newline at the end', withNewline],
  ['indentation', indented],
] as const) {
  for (const file of ['proof', 'records'] as const) {
    test(`a file of the ${file} with ${how} is told that it was changed`, async (t) => {
      const { exitCode, errors: message } = await verify(OTHER_ENGINE, records, { [file]: change });
      t.is(exitCode, 1);
      t.regex(
        message,
        /was changed after it was answered, if only by a newline, indentation .*: save it byte for byte/,
      );
    });
  }
}

test('records of another proof are not valid with any engine', async (t) => {
  for (const changed of [
    { ...records, approved_at: received_at },
    { ...records, actions: [look, pay('79.00', '1.00')] },
    { ...records, tenant_id: 'tenant_2' },
  ]) {
    const { exitCode, errors: message } = await verify(OTHER_ENGINE, changed);
    t.deepEqual({ exitCode, isRefuted: message.startsWith('NOT VALID: ') }, { exitCode: 1, isRefuted: true }, message);
  }
});

test('verdicts of the engine of this version are computed again', async (t) => {
  const { exitCode, errors: message } = await verify(VERSIONS.engine, records);
  t.is(exitCode, 1);
  t.regex(message, /^NOT VALID: \w+ comes out as \w+/);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { runPlan } from '../../../scripts/cli/tollhouse/plans/run-plan.ts';
import { verifyProof } from '../../../scripts/cli/tollhouse/proofs/verify-proof.ts';
import { describeTools } from '../../../scripts/cli/try/flow-calls.ts';
import { playRun } from '../../../scripts/cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../scripts/cli/try/run-file.ts';
import { isAsExpected, tryVerified } from '../../../scripts/cli/try/try-verified.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { ExecutionAnswer, VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { readKeyFile } from '../../../services/verification/contract/proof/key-file.ts';
import { verifyProofFile } from '../../../services/verification/contract/proof/verify-proof-file.ts';
import { readRecords } from '../../../services/verification/offline/read-records.ts';
import { digestBytes } from '../../../services/verification/proof/digests.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { receiptOf, recordRefund } from './refund.ts';
import { useVerifiedStack } from './verified-stack.ts';

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('refunds');
await describeTools(tenant.approver);
test.after.always(() => stack.stop());

const readExecution = createReader(ExecutionAnswer, 'the execution');
const readVerification = createReader(VerifyExecutionAnswer, 'the verification');
const readConsistency = createReader(Type.Object({ hashes: Type.Unknown() }), 'the consistency proof');

const runs = readRunFiles();
const play = async (name: string, id = `${name}-${process.hrtime.bigint()}`) => {
  const run = readRun(defined(runs.get(name)), id);
  const { times = 1 } = run;
  let played = await playRun(readPlanFile(), run, { ...tenant, onStep: () => {} });
  for (let time = 1; time < times; time++) {
    played = await playRun(readPlanFile(), run, { ...tenant, onStep: () => {} });
  }
  return { played, expected: run.expect };
};

for (const name of runs.keys()) {
  test(`the run ${name} ends as expected`, async (t) => {
    const { played, expected } = await play(name);
    t.true(isAsExpected(played, expected), JSON.stringify({ played, expected }));
  });
}

interface Files {
  readonly proof: Buffer;
  readonly keys: Buffer;
  readonly records: Buffer;
}

interface Proven {
  readonly proofId?: string | undefined;
  readonly executionId?: string | undefined;
}

async function download({ proofId, executionId }: Proven, { reader } = tenant): Promise<Files> {
  if (proofId === undefined || executionId === undefined) throw new Error('the run has no proof');
  return {
    proof: await reader.download(`/api/v1/proofs/${proofId}`),
    keys: await reader.download('/api/v1/log/keys'),
    records: await reader.download(`/api/v1/executions/${executionId}/records`),
  };
}

/** The error of the verifying command. Undefined if the files are valid. */
async function verify(files: Files): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-proof-'));
  try {
    const path = (name: keyof Files) => {
      writeFileSync(join(folder, name), files[name]);
      return join(folder, name);
    };
    const terminal = { environment: {}, say: () => {} };
    await verifyProof(terminal, { keys: path('keys'), records: path('records') }, path('proof'));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a proof and its records are verified offline, and a change of either is detected', async (t) => {
  const files = await download((await play('as-planned')).played);
  t.is(await verify(files), undefined);
  const other = await download((await play('as-planned')).played);
  t.regex(defined(await verify({ ...files, records: other.records })), /^NOT VALID: the records hold another/);
  const proof = Buffer.from(files.proof);
  proof.writeUInt8(proof.readUInt8(200) ^ 1, 200);
  t.regex(defined(await verify({ ...files, proof })), /^NOT VALID: /);
});

test('every changed byte of the records is detected without a solver', async (t) => {
  const other = await stack.addTenant('bytes');
  const refund = await recordRefund(other, 'bytes');
  const execution = `/api/v1/executions/${refund.executionId}`;
  await other.agent.post(`${execution}/evidence`, { artifacts: [receiptOf(refund)] });
  const { proof_id } = readVerification(await other.agent.post(`${execution}/verify`, {}));
  const { proof, keys, records } = await download({ ...refund, proofId: proof_id ?? undefined }, other);
  const verdict = await verifyProofFile(proof, await readKeyFile(keys));
  if (!verdict.ok) return t.fail(verdict.message);
  t.false('fault' in readRecords(verdict.statement, records));
  const unnoticed = [];
  for (let index = 0; index < records.length; index++) {
    const changed = Buffer.from(records);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    if (!('fault' in readRecords(verdict.statement, changed))) unnoticed.push(index);
  }
  t.deepEqual(unnoticed, []);
});

test('only the tenant can read a solver query, by its hash', async (t) => {
  const { played } = await play('as-planned');
  const execution = readExecution(await tenant.reader.get(`/api/v1/executions/${played.executionId}`));
  const path = `/api/v1/verifications/${execution.verifications[0]}`;
  const answer = await tenant.reader.get(path);
  t.deepEqual(Compile(VerifyExecutionAnswer).Errors(answer)[1], []);
  const verification = readVerification(answer);
  t.true(verification.pins.queries.length >= 3);
  for (const { smtlib_sha256 } of verification.pins.queries) {
    const text = await tenant.reader.download(`${path}/queries/${smtlib_sha256}`);
    t.is(digestBytes(text), smtlib_sha256);
    t.regex(text.toString('utf8'), /\(assert/);
  }
  const error = await t.throwsAsync(tenant.reader.download(`${path}/queries/${'0'.repeat(64)}`));
  t.like(error, { code: 'NOT_FOUND' });
});

/** Runs `work` with a folder in which no sandbox has run. */
async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-try-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("plays the example with keys from the environment, without the server's data folder", async (t) => {
  const lines: string[] = [];
  await inEmptyFolder(async (folder) => {
    const areAllRight = await tryVerified({
      origin: stack.urls[0],
      options: {},
      environment: {
        TOLLHOUSE_DATA: folder,
        TOLLHOUSE_AGENT_KEY: tenant.keys.agent,
        TOLLHOUSE_APPROVER_KEY: tenant.keys.approver,
      },
      wanted: 'as-planned',
      say: (line) => lines.push(line),
    });
    const printed = lines.join('\n');
    t.true(areAllRight, printed);
    for (const [name, id] of [
      ['plan', /plan (\S+)/.exec(printed)?.[1]],
      ['proof', new RegExp(`${stack.urls[0]}/proofs/(\\S+)`).exec(printed)?.[1]],
    ]) {
      const page = `${stack.urls[0]}/${name}s/${id}`;
      t.true(printed.includes(page), printed);
      t.is((await fetch(page, { headers: { accept: 'text/html' } })).status, 200);
    }
    t.regex(printed, /tollhouse -- verify-proof .*proof\.json --keys .*keys\.json --records .*records\.json/);
  });
});

test('plays the runs beside a plan twice, and those that a server cannot play are skipped', async (t) => {
  const file = fileURLToPath(new URL('../../../docs/verified-execution/examples/payment-run.yaml', import.meta.url));
  const { agent: agentKey, approver: approverKey } = tenant.keys;
  const options = { url: stack.urls[0], agentKey, approverKey, tools: file.replace('payment-run', 'tools') };
  const run = async (text: string) => {
    const lines: string[] = [];
    const runs = join(mkdtempSync(join(tmpdir(), 'tollhouse-run-')), 'runs.yaml');
    writeFileSync(runs, text);
    const say = (line: string) => lines.push(line);
    const failed = await runPlan({ environment: {}, say }, { ...options, runs }, file).then(() => '', String);
    rmSync(dirname(runs), { recursive: true });
    return { lines, failed };
  };
  const all = readFileSync(file.replace('.yaml', '.runs.yaml'), 'utf8').split(/^(?=\S)/m);
  const text = all
    .filter((one) => /^(?:two small invoices|an invoice twice|without a receipt|too late):/.test(one))
    .join('');
  for (let time = 0; time < 2; time += 1) {
    const { lines, failed } = await run(text);
    t.is(failed, '', lines.join('\n'));
    t.is(lines.filter((line) => line.startsWith('ok ')).length, 3);
    t.is(lines.at(-1), '3 runs, as expected');
    t.true(lines.includes('skipped  too late: it says when its acts were done, or who approved: use plan test'));
  }
  const wrong = text.replace(/(an invoice twice:\s+must: )violated/, '$1satisfied');
  const { lines, failed } = await run(wrong);
  t.regex(failed, /have another verdict than they must have/);
  t.true(
    lines.some((line) => line.startsWith('FAILED   ')),
    lines.join('\n'),
  );
});

test('names unknown keys as the reason', async (t) => {
  const key = `thk_${'A'.repeat(43)}`;
  await inEmptyFolder(async (folder) => {
    const options = { agentKey: key, approverKey: key };
    const environment = { TOLLHOUSE_DATA: folder };
    const tried = tryVerified({ origin: stack.urls[0], options, environment, wanted: undefined, say: () => {} });
    const error = await t.throwsAsync(tried);
    t.regex(defined(error).message, /does not know this API key: .*TOLLHOUSE_AGENT_KEY.*--approver-key/);
  });
});

test('the log has all proofs, and each of its states extends the state before', async (t) => {
  const [origin] = stack.urls;
  const sizeOf = async () => Number((await (await fetch(`${origin}/api/v1/log/checkpoint`)).text()).split('\n')[1]);
  const before = await sizeOf();
  await play('as-planned');
  const after = await sizeOf();
  t.true(after > before);
  const response = await fetch(`${origin}/api/v1/log/consistency?first=${before}&second=${after}`);
  const { hashes } = readConsistency(await response.json());
  t.true(Array.isArray(hashes));
  for (const query of [
    'first=2&second=1',
    'first=0&second=999999',
    'first=-1&second=1',
    'first=1',
    'first=a&second=1',
  ]) {
    t.is((await fetch(`${origin}/api/v1/log/consistency?${query}`)).status, 400, query);
  }
});

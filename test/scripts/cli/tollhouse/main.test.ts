import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { isRevenueFrozen } from '../../../../services/verification/mutations/revenue-freeze.ts';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { encodeProofFile } from '../../../../services/verification/proof/encode-proof-file.ts';
import { publishIssuerKey, publishLogKey } from '../../../../services/verification/proof/keys.ts';
import { SHIPPED_SHEETS } from '../../../../services/verification/sheets/shipped-sheets.ts';
import { authenticate, createTenant } from '../../../../services/verification/tenants/keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { SPEND_CAP, useOf } from '../../../models/sheets.ts';
import { createTestLog, issuer, log } from '../../../services/verification/proof/test-proof.ts';
import { openFiles } from './files.ts';
import { type Ended, runCommand } from './run-command.ts';

const testLog = await createTestLog(5);

const COMMAND = fileURLToPath(new URL('../../../../scripts/cli/tollhouse/main.ts', import.meta.url));

const readActs = createJsonReader(
  Type.Array(Type.Object({ action: Type.String(), reason: Type.String(), detail: Type.String() })),
  'the acts',
);

const { keep, remove } = openFiles();
const { url, database, stop } = await createTestDatabase();
// While it is open, all commands of this process use it.
const solver = await openSolver();
test.after.always(async () => {
  await solver.close();
  await stop();
  remove();
});

/** Runs a command in this process, on the test's database by default. */
const run = (args: readonly string[], databaseUrl = url) => runCommand({ DATABASE_URL: databaseUrl }, args);

/** Runs a command as an operator does, in a process of its own. */
function runProcess(args: readonly string[]): Promise<Ended> {
  const env = { ...INHERITED, DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { env }, (error, output, errors) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), output, errors });
    });
  });
}

const ID = '[0-9a-f-]{36}';
const NOBODY = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';

/** The new key that a command printed for a role, and its id. */
function keyIn(output: string, role: string): { readonly key: string; readonly keyId: string } {
  const found = new RegExp(`^${role} +(thk_\\S+) +\\(key (${ID})\\)$`, 'm').exec(output);
  return { key: defined(found?.[1]), keyId: defined(found?.[2]) };
}

/** The id of the tenant that the first test creates. */
async function findAcme(): Promise<string> {
  return defined(new RegExp(`(${ID})  Acme`).exec((await run(['tenant', 'list'])).output)?.[1]);
}

test.serial('a new tenant has a key of each role, which is shown once and works', async (t) => {
  const { exitCode, output } = await run(['tenant', 'create', 'Acme']);
  t.is(exitCode, 0);
  const tenantId = defined(new RegExp(`^tenant +(${ID})$`, 'm').exec(output)?.[1]);
  for (const role of ['agent', 'approver', 'reader'] as const) {
    const { key, keyId } = keyIn(output, role);
    t.deepEqual(await authenticate(database, key), { keyId, tenantId, role, scopes: [], group: keyId });
  }
  const listed = await run(['tenant', 'list']);
  t.regex(listed.output, new RegExp(`^${tenantId}  Acme$`, 'm'));
  t.false(listed.output.includes('thk_'));
});

test.serial(
  'the command writes answers to standard output, errors to standard error, and sets its exit code',
  async (t) => {
    t.like(await runProcess(['freeze', 'off']), {
      exitCode: 0,
      output: 'Not frozen: writes that move money are recorded again.\n',
      errors: '',
    });
    const refused = await runProcess(['tenant', 'revoke', NOBODY]);
    t.like(refused, { exitCode: 1, output: '' });
    t.is(refused.errors, `there is no active key ${NOBODY}\n`);
  },
);

test.serial('a key is added to a tenant, and can be revoked only once', async (t) => {
  const tenantId = await findAcme();
  const added = await run(['tenant', 'key', tenantId, 'reader']);
  t.is(added.exitCode, 0);
  const { key, keyId } = keyIn(added.output, 'reader');
  t.like(await authenticate(database, key), { keyId, tenantId });
  t.is((await run(['tenant', 'revoke', keyId])).exitCode, 0);
  t.is(await authenticate(database, key), undefined);
  t.regex((await run(['tenant', 'list'])).output, new RegExp(`${keyId} +reader +revoked `));
  t.is((await run(['tenant', 'revoke', keyId])).exitCode, 1);
});

test.serial('a key with a scope is listed with its scope', async (t) => {
  const tenantId = await findAcme();
  const { output } = await run(['tenant', 'key', tenantId, 'reader', '--scope', 'crm.email']);
  const { key, keyId } = keyIn(output, 'reader');
  t.like(await authenticate(database, key), { scopes: ['crm.email'] });
  t.regex((await run(['tenant', 'list'])).output, new RegExp(`^  ${keyId}  reader +crm\\.email$`, 'm'));
});

test.serial('a key joins a group or the group of an earlier key, and is listed with its group', async (t) => {
  const tenantId = await findAcme();
  const issue = async (group: string) => {
    const { output } = await run(['tenant', 'key', tenantId, 'agent', '--group', group]);
    const { key, keyId } = keyIn(output, 'agent');
    t.like(await authenticate(database, key), { keyId, group });
    t.regex((await run(['tenant', 'list'])).output, new RegExp(`^  ${keyId}  agent +group ${group}$`, 'm'));
    return keyId;
  };
  await issue(await issue('refunds'));
  t.is((await run(['tenant', 'key', tenantId, 'agent', '--group', 'two words'])).exitCode, 2);
});

const USER_LINES = '{"id":"1","name":"Ann","email":"ann@example.com","active":true}\n';

test.serial('users are imported, listed unchanged, replaced as a whole and cleared', async (t) => {
  const tenantId = await createTenant(database, 'Users');
  const more = '{"id":"2","name":"Bo","email":null,"active":false}\n';
  const file = keep('users.jsonl', more + USER_LINES);
  t.regex((await run(['users', 'import', tenantId, file])).output, /^2 users imported; they replace 0$/m);
  t.is(`${(await run(['users', 'list', tenantId])).output}\n`, USER_LINES + more);
  const broken = await run(['users', 'import', tenantId, keep('broken.jsonl', `${USER_LINES}{}\n`)]);
  t.deepEqual({ code: broken.exitCode, said: /^line 2 /.test(broken.errors) }, { code: 1, said: true });
  t.is(`${(await run(['users', 'list', tenantId])).output}\n`, USER_LINES + more);
  t.is((await run(['users', 'clear', tenantId])).exitCode, 0);
  t.is((await run(['users', 'list', tenantId])).output, '');
});

test.serial('an empty file and users of an unknown tenant are not imported', async (t) => {
  t.is((await run(['users', 'import', NOBODY, keep('empty.jsonl', '')])).exitCode, 1);
  t.regex((await run(['users', 'import', NOBODY, keep('one.jsonl', USER_LINES)])).errors, /there is no tenant/);
});

test.serial('the freeze is turned on and off', async (t) => {
  t.is((await run(['freeze', 'on'])).exitCode, 0);
  t.true(await isRevenueFrozen(database));
  t.is((await run(['freeze', 'off', '--reason', 'drill over'])).exitCode, 0);
  t.false(await isRevenueFrozen(database));
});

test.serial('acts of operators are listed, and a changed act is reported', async (t) => {
  const { exitCode, output } = await run(['acts', '--subject', 'revenue_writes', '--limit', '1', '--json']);
  t.is(exitCode, 0);
  const [act] = readActs(output);
  t.like(act, { action: 'verification.freeze', reason: 'drill over', detail: '{"isFrozen":false}' });
  await sql`ALTER TABLE operator_act DISABLE TRIGGER ALL`.execute(database);
  await sql`UPDATE operator_act SET operator = 'nobody' WHERE sequence = 1`.execute(database);
  const broken = await run(['acts']);
  t.is(broken.exitCode, 1);
  t.regex(broken.errors, /the audit trail is broken: act 1 was changed or is missing/);
});

for (const args of [
  ['tenant', 'create', 'Acme'],
  ['tenant', 'key', NOBODY, 'agent'],
  ['tenant', 'revoke', NOBODY],
]) {
  test.serial(`${args.join(' ')} fails with exit code 1`, async (t) => {
    const { exitCode, output, errors } = await run(args);
    t.deepEqual({ exitCode, output }, { exitCode: 1, output: '' });
    t.false(/\n +at /.test(errors), errors);
  });
}

test.serial('a database that does not answer is reported with exit code 1', async (t) => {
  const { exitCode, errors } = await run(['tenant', 'list'], 'postgres://127.0.0.1:1/none');
  t.is(exitCode, 1);
  t.regex(errors, /^DATABASE_URL .* start PostgreSQL/);
});

for (const args of [
  [],
  ['toString'],
  ['tenant'],
  ['tenant', 'create'],
  ['tenant', 'key', NOBODY, 'owner'],
  ['tenant', 'key', 'Acme', 'agent'],
  ['tenant', 'key', NOBODY, 'agent', '--scope', 'crm.all'],
  ['users', 'list', 'Acme'],
  ['freeze', 'maybe'],
  ['freeze', 'on', '--because', 'drill'],
  ['acts', '--limit', '0'],
  ['plan', 'lint'],
  ['verify-proof', 'proof.json'],
  ['verify-proof', 'proof.json', '--keys', 'keys.json', '--trust'],
]) {
  test.serial(`tollhouse ${JSON.stringify(args)} is refused with exit code 2`, async (t) => {
    const { exitCode, output, errors } = await run(args);
    t.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
    t.false(/\n +at /.test(errors), errors);
  });
}

// Plans

const lint = (name: string, changes: object) =>
  run(['plan', 'lint', keep(name, JSON.stringify({ ...REFUND_PLAN, ...changes }))]);

test.serial('an invalid plan is refused with the pointer and the code of its fault', async (t) => {
  const { exitCode, errors } = await lint('bad.json', { tools: REFUND_PLAN.tools.slice(1) });
  t.is(exitCode, 1);
  t.regex(errors, /^\/steps\/0\/tool: .*UNKNOWN_TOOL/);
});

const parseSheet = createJsonReader(Type.Object({ name: Type.String(), version: Type.String() }), 'the shipped sheet');

test.serial('a plan is linted with the given sheets and the sheets that come with the service', async (t) => {
  const bind = { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] };
  const { document } = defined(SHIPPED_SHEETS.find(({ name }) => name === 'tollhouse.spend-cap'));
  const sheets = [SPEND_CAP, parseSheet(document)];
  const uses = sheets.map((sheet) => useOf(sheet, 'plan', bind));
  const plan = keep('sheets.json', JSON.stringify({ ...REFUND_PLAN, sheets: uses }));
  const given = await run(['plan', 'lint', plan, '--sheet', keep('spend-cap.json', JSON.stringify(SPEND_CAP))]);
  t.is(given.exitCode, 0, given.errors);
  const missing = await run(['plan', 'lint', plan]);
  t.is(missing.exitCode, 1);
  t.regex(missing.errors, /^\/sheets\/0: there is no sheet spend-cap@1\.0\.0/);
});

// Proofs

const proof = encodeProofFile(testLog.proof(2, 4));
const trusted = canonicalBytes({ keys: [publishIssuerKey(issuer), publishLogKey(log)] });

function verify(given: string, files: Readonly<Record<string, Uint8Array | string>>) {
  const { file = proof, keys = trusted, ...others } = files;
  const options = Object.entries({ keys, ...others }).flatMap(([name, content]) => [
    `--${name}`,
    keep(`${given}-${name}.json`, content),
  ]);
  return run(['verify-proof', keep(`${given}-proof.json`, file), ...options]);
}

test.serial('a proof is verified with the keys and with a remembered checkpoint', async (t) => {
  const { exitCode, output } = await verify('good', {});
  t.is(exitCode, 0);
  t.regex(output, /^signature and log {2}valid$/m);
  const consistency = JSON.stringify({ hashes: testLog.consistency(2, 4) });
  t.is((await verify('remembered', { checkpoint: testLog.checkpoint(2), consistency })).exitCode, 0);
});

test.serial('a changed proof ends with exit code 1, and files that cannot be used with 2', async (t) => {
  const changed = Buffer.from(proof);
  changed.writeUInt8(changed.readUInt8(300) ^ 1, 300);
  t.like(await verify('changed', { file: changed }), { exitCode: 1 });
  t.regex((await verify('records', { records: '{}' })).errors, /^NOT VALID: /);
  const { exitCode, errors } = await verify('keyless', { keys: '{}' });
  t.is(exitCode, 2, errors);
  t.false(/\n +at /.test(errors), errors);
});

for (const args of [
  ['verify-proof', '/nowhere/proof.json', '--keys', '/nowhere/keys.json'],
  ['plan', 'lint', '/nowhere/plan.json'],
]) {
  test.serial(`${args.join(' ')} fails with exit code 2 and without a stack`, async (t) => {
    const { exitCode, output, errors } = await run(args);
    t.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
    t.regex(errors, /^\/nowhere\/\w+\.json: there is no such file$/);
    t.false(/\n +at /.test(errors), errors);
  });
}

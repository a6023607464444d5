import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Caller } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { verifyProof } from '../../../../scripts/cli/tollhouse/proofs/verify-proof.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import {
  ComposeSheetsAnswer,
  CreateSheetAnswer,
  ListSheetsAnswer,
  SheetAnswer,
} from '../../../../services/verification/contract/sheets.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { look, pay } from '../../../models/refund-run.ts';
import { SPEND_CAP } from '../../../models/sheets.ts';
import { createSteps, doneAt, refund, refused } from '../steps.ts';
import { useVerificationProcess } from '../verification-process.ts';

const SETTINGS = { timeoutMs: HANG_MS };

type Created = Static<typeof CreateSheetAnswer>;
const readCreated = createJsonReader(CreateSheetAnswer, 'the answer to create_sheet');
const readComposed = createJsonReader(ComposeSheetsAnswer, 'the answer to compose_sheets');
const readSheet = createJsonReader(SheetAnswer, 'a sheet');
const readSheets = createJsonReader(ListSheetsAnswer, 'the list of sheets');
const readRecords = createJsonReader(Type.Object({ sheets: Type.Array(Type.Unknown()) }), 'the records');

const verification = await useVerificationProcess();
const tenant = await verification.addTenant('sheets');
const other = await verification.addTenant('others');
const steps = createSteps(verification.service, tenant);
test.after.always(() => verification.stop());

interface Write {
  readonly caller?: Caller;
  readonly key?: string;
}

async function create(sheet: unknown, { caller = tenant.agent, key = '' }: Write = {}) {
  const request = { caller, idempotencyKey: key, arguments: JSON.stringify({ sheet }) };
  const { answer, replayed } = await verification.service.ask('createSheet', request, SETTINGS);
  return { ...readCreated(answer), replayed };
}

async function compose(
  sheets: readonly object[],
  saveAs: object | null = null,
  { caller = tenant.agent, key = '' }: Write = {},
) {
  const body = JSON.stringify({ sheets: sheets.map(refOf), save_as: saveAs });
  const request = { caller, idempotencyKey: key, arguments: body };
  const { answer, replayed } = await verification.service.ask('composeSheets', request, SETTINGS);
  return { ...readComposed(answer), replayed };
}

const refOf = ({ name, version, sha256 }: Partial<Created>) => ({ name, version, sha256 });

async function read({ name, version }: { readonly name: string; readonly version: string }, caller = tenant.reader) {
  const { answer } = await verification.service.ask('getSheet', { caller, params: { name, version } }, SETTINGS);
  return readSheet(answer);
}

async function list(caller = tenant.reader) {
  const { answer } = await verification.service.ask('listSheets', { caller }, SETTINGS);
  return readSheets(answer).sheets;
}

/** A sheet with a new name. */
const fresh = (over: object = {}) => ({ ...SPEND_CAP, name: `cap-${randomUUID()}`, ...over });

// Storage

test('stores a sheet unchanged, with its hash', async (t) => {
  const sheet = fresh();
  const created = await create(sheet);
  t.like(created, {
    name: sheet.name,
    version: '1.0.0',
    title: sheet.title,
    origin: 'tenant',
    lint: [],
    replayed: false,
  });
  const { lint: _, replayed: __, ...kept } = created;
  t.deepEqual(await read(sheet), { ...kept, sheet });
});

test('lists sheets by name and version, including the sheets of the service', async (t) => {
  const sheet = fresh();
  for (const version of ['1.10.0', '1.2.0', '0.9.9']) await create({ ...sheet, version });
  const all = await list();
  t.deepEqual(
    all.filter(({ name }) => name === sheet.name).map(({ version }) => version),
    ['0.9.9', '1.2.0', '1.10.0'],
  );
  const names = all.map(({ name }) => name);
  t.deepEqual(names, names.toSorted());
  const shipped = all.filter(({ origin }) => origin === 'shipped');
  t.true(shipped.length >= 4 && shipped.every(({ name }) => name.startsWith('tollhouse.')));
  t.is((await read(defined(shipped[0]))).created_at, null);
});

test('storing a sheet again changes nothing, and another sheet under its name and version is refused', async (t) => {
  const sheet = fresh();
  const first = await create(sheet);
  t.deepEqual(await create({ ...sheet }), first);
  await refused(t, create({ ...sheet, title: 'Another' }), 'SHEET_EXISTS', /another version/);
  t.is((await read(sheet)).title, sheet.title);
});

test('only one of two concurrent sheets with the same name is stored', async (t) => {
  const sheet = fresh();
  const sent = ['One', 'Other'].map((title) => create({ ...sheet, title }));
  const outcomes = await Promise.allSettled(sent);
  const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.sha256] : []));
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  t.deepEqual([kept.length, failed.length], [1, 1]);
  t.like(defined(failed[0]).reason, { code: 'SHEET_EXISTS' });
  t.is((await read(sheet)).sha256, defined(kept[0]));
});

test('a sheet that is sent again under its key gets the same answer, and another sheet is refused', async (t) => {
  const [sheet, key] = [fresh(), randomUUID()];
  const first = await create(sheet, { key });
  t.deepEqual(await create(sheet, { key }), { ...first, replayed: true });
  await refused(t, create(fresh(), { key }), 'IDEMPOTENCY_KEY_REUSED');
});

test('refuses a sheet that is malformed, contradicts itself or has a reserved name', async (t) => {
  await refused(t, create(fresh({ version: 'one' })), 'MALFORMED_INPUT', /^\/sheet\/version: /);
  const rules = (...expr: readonly unknown[]) => ({
    constraints: expr.map((each, index) => ({ id: `r${index}`, expr: each })),
  });
  await refused(t, create(fresh(rules(['var', 'left']))), 'MALFORMED_INPUT', /^\/sheet\/constraints\/0\/expr\/1: /);
  const torn = rules(['<', ['var', 'cap'], 0]);
  await refused(t, create(fresh(torn)), 'SHEET_VACUOUS', /\/constraints\/r0/);
  for (const name of ['tollhouse.mine', 'Tollhouse.mine', 'TOLLHOUSE.X', '.', '..']) {
    await refused(t, create({ ...SPEND_CAP, name }), 'MALFORMED_INPUT', /^\/sheet\/name: /);
  }
  await refused(t, create(fresh({ title: 'x'.repeat(70_000) })), 'MALFORMED_INPUT', /^\/sheet: larger/);
});

test('only agents create and compose sheets, and every role reads them', async (t) => {
  const created = await create(fresh());
  for (const caller of [tenant.reader, tenant.approver]) {
    await refused(t, create(fresh(), { caller }), 'ROLE_NOT_ALLOWED');
    await refused(t, compose([created], null, { caller }), 'ROLE_NOT_ALLOWED');
    t.is((await read(created, caller)).sha256, created.sha256);
  }
});

test("another tenant's sheet is not found, and its name is free", async (t) => {
  const sheet = fresh();
  const created = await create(sheet);
  await refused(t, read(sheet, other.reader), 'NOT_FOUND');
  t.false((await list(other.reader)).some(({ name }) => name === sheet.name));
  await refused(
    t,
    compose([created], null, { caller: other.agent }),
    'MALFORMED_INPUT',
    /^\/sheets\/0: there is no sheet/,
  );
  const another = await create({ ...sheet, title: 'Another' }, { caller: other.agent });
  t.not(another.sha256, created.sha256);
});

test("the service's role cannot change or delete a sheet, or add one for another tenant", async (t) => {
  const created = await create(fresh());
  const asService = (statement: ReturnType<typeof sql>) =>
    verification.withDatabase('service', (database) =>
      inTenant(database, tenant.tenantId, (transaction) => statement.execute(transaction)),
    );
  const own = sql`WHERE name = ${created.name}`;
  await t.throwsAsync(asService(sql`UPDATE verification.sheet SET title = 'changed' ${own}`), {
    message: /permission/,
  });
  await t.throwsAsync(asService(sql`DELETE FROM verification.sheet ${own}`), { message: /permission/ });
  const foreign = sql`INSERT INTO verification.sheet (tenant_id, name, version, title, document, sha256, created_by)
    SELECT ${other.tenantId}, name, '2.0.0', title, document, sha256, created_by FROM verification.sheet ${own}`;
  await t.throwsAsync(asService(foreign), { message: /row-level security/ });
});

test('a tenant has at most a thousand sheets, and the list has all of them', async (t) => {
  const { agent: caller, reader, tenantId } = await verification.addTenant('collector');
  const last = await create(fresh(), { caller });
  await verification.withDatabase('service', (database) =>
    inTenant(database, tenantId, (transaction) =>
      sql`INSERT INTO verification.sheet (tenant_id, name, version, title, document, sha256, created_by)
        SELECT tenant_id, 'n' || number, version, title, document, sha256, created_by
        FROM verification.sheet, generate_series(1, 999) AS number`.execute(transaction),
    ),
  );
  await refused(t, create(fresh(), { caller }), 'TOO_MANY_SHEETS');
  t.is((await list(reader)).filter(({ origin }) => origin === 'tenant').length, 1000);
  const { sha256 } = await create((await read(last, reader)).sheet, { caller });
  t.is(sha256, last.sha256);
});

// Composition

test('stores the composition of consistent sheets as a sheet', async (t) => {
  const cap = await create(fresh());
  const floor = await create(fresh({ constraints: [{ id: 'some', expr: ['>', ['var', 'spent'], ['dec', '1.00']] }] }));
  const saveAs = { name: `both-${randomUUID()}`, version: '1.0.0' };
  const both = await compose([cap, floor], saveAs);
  t.like(both, {
    outcome: 'consistent',
    saved: true,
    core: [],
    redundant: [],
    witness: { cap: '1.01', spent: '1.01' },
  });
  t.like(await read(saveAs), {
    sha256: both.sha256,
    title: `${cap.name}@1.0.0 + ${floor.name}@1.0.0`,
    origin: 'tenant',
  });
  const again = await compose([cap, { ...saveAs, sha256: both.sha256 }]);
  t.deepEqual(again.redundant, [`${saveAs.name}@1.0.0#within`]);
  await refused(t, compose([cap], saveAs), 'SHEET_EXISTS');
  for (const name of ['tollhouse.both', 'tollHouse.both', '..']) {
    await refused(t, compose([cap], { ...saveAs, name }), 'MALFORMED_INPUT', /^\/save_as\/name: /);
  }
});

test('does not store the composition of contradictory sheets', async (t) => {
  const cap = await create(fresh());
  const above = await create(fresh({ constraints: [{ id: 'above', expr: ['>', ['var', 'spent'], ['var', 'cap']] }] }));
  const saveAs = { name: `none-${randomUUID()}`, version: '1.0.0' };
  const none = await compose([cap, above], saveAs);
  t.like(none, { outcome: 'conflict', saved: false, sheet: null, sha256: null, witness: null });
  t.deepEqual(none.core, [`${cap.name}@1.0.0#within`, `${above.name}@1.0.0#above`]);
  await refused(t, read(saveAs), 'NOT_FOUND');
});

test('a composition under a key is replayed, and a composition without a key or name writes nothing', async (t) => {
  const { agent: caller, tenantId } = await verification.addTenant('composer');
  const cap = await create(fresh(), { caller });
  const written = () =>
    verification.withDatabase('owner', async (database) => {
      const { rows } =
        await sql`SELECT idempotency_key FROM verification.guarded_mutation WHERE tenant_id = ${tenantId}`.execute(
          database,
        );
      return rows.length;
    });
  const unnamed = await compose([cap], null, { caller });
  t.like(unnamed, { saved: false, sheet: { name: 'composed', version: '1.0.0' } });
  t.is(await written(), 1);
  const key = randomUUID();
  const first = await compose([cap], null, { caller, key });
  t.deepEqual(first, unnamed);
  t.deepEqual(await compose([cap], null, { caller, key }), { ...first, replayed: true });
});

test('refuses to compose sheets that are too large together', async (t) => {
  const rules = Array.from({ length: 200 }, (_, index) => ({ ...SPEND_CAP.constraints[0], id: `r${index}` }));
  const large = [await create(fresh({ constraints: rules })), await create(fresh({ constraints: rules }))];
  await refused(t, compose(large), 'MALFORMED_INPUT', /^\/sheets: together have 400 constraints/);
});

test('refuses to compose a sheet with a wrong hash, or twice', async (t) => {
  const cap = await create(fresh());
  await refused(
    t,
    compose([{ ...cap, sha256: '0'.repeat(64) }]),
    'MALFORMED_INPUT',
    new RegExp(`^/sheets/0/sha256: .*${cap.sha256}`),
  );
  await refused(t, compose([cap, cap]), 'MALFORMED_INPUT', /^\/sheets\/1: .*twice/);
});

test('answers match their published schemas', async (t) => {
  const cap = await create(fresh());
  const { replayed: _, ...composed } = await compose([cap]);
  for (const [schema, answer] of [
    [ListSheetsAnswer, { sheets: await list() }],
    [SheetAnswer, await read(cap)],
    [ComposeSheetsAnswer, composed],
  ] as const) {
    t.deepEqual(Compile(schema).Errors(answer), [true, []]);
  }
});

// Use in plans

const use = (sheet: Partial<Created>, scope: string, bind: object) => ({ ...refOf(sheet), scope, bind });
const CAP = { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] };

test('refuses a plan with an unknown sheet, a wrong hash or a sheet that it always violates', async (t) => {
  const cap = await create(fresh());
  const missing = use({ ...cap, version: '9.0.0' }, 'plan', CAP);
  await refused(t, steps.create({ sheets: [missing] }), 'MALFORMED_INPUT', /^\/plan\/sheets\/0: there is no sheet/);
  const wrong = use({ ...cap, sha256: '0'.repeat(64) }, 'plan', CAP);
  await refused(
    t,
    steps.create({ sheets: [wrong] }),
    'MALFORMED_INPUT',
    new RegExp(`^/plan/sheets/0/sha256: .*${cap.sha256}`),
  );
  const tight = await create(fresh({ constraints: [{ id: 'none', expr: ['<', ['var', 'spent'], ['var', 'cap']] }] }));
  const vacuous = use(tight, 'plan', { ...CAP, cap: ['dec', '80.00'] });
  await refused(t, steps.create({ sheets: [vacuous] }), 'PLAN_VACUOUS', /\/sheets\/0\/none/);
});

/** Executes the payment under a plan with these sheets, and submits its receipt. */
async function executed(sheets: readonly object[], payment = pay('80.00', '0.00', randomUUID())) {
  const plan = await steps.create({ sheets });
  await steps.approve(plan);
  const proposed = refund();
  const execution = await steps.execute(plan, await steps.checks(plan, proposed), doneAt([look, payment]));
  await steps.evidence(execution, { amount: payment.args.amount, id: payment.response.id });
  return execution;
}

test('a run that satisfies the sheets of its plan has a proof, which is verified offline with the sheets', async (t) => {
  const cap = await create(fresh());
  const shipped = defined((await list()).find(({ name }) => name === 'tollhouse.spend-cap'));
  const left = { spent: ['arg', 'amount'], cap: ['state', 'refundable'] };
  const execution = await executed([use(cap, 'plan', CAP), use(shipped, 'each:pay', left)]);
  const verified = await steps.verify(execution);
  const { state, proof_id, verification_id } = verified;
  t.is(state, 'verified');
  if (proof_id === null) throw new Error('the verified execution has no proof');

  const { service } = verification;
  const caller = tenant.reader;
  const proof = await service.ask('getProof', { caller, params: { proof_id } }, SETTINGS);
  const records = await service.ask(
    'getRecords',
    { caller, params: { execution_id: execution.execution_id } },
    SETTINGS,
  );
  const keys = await service.ask('getLogKeys', {}, SETTINGS);
  const { smtlib_sha256 } = defined(verified.pins.queries.find(({ check }) => check === 'constraints'));
  const script = await service.ask('getScript', { caller, params: { verification_id, smtlib_sha256 } }, SETTINGS);
  t.is(createHash('sha256').update(script.answer).digest('hex'), smtlib_sha256);
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-sheets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const verify = async (answer: string) => {
    const files = { proof: proof.answer, keys: keys.answer, records: answer };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const [file, ...paths] = Object.keys(files).map((name) => join(folder, name));
    const said: string[] = [];
    const terminal = { environment: {}, say: (line: string) => said.push(line) };
    await verifyProof(terminal, { keys: `${paths[0]}`, records: `${paths[1]}` }, `${file}`);
    return said.join('\n');
  };
  t.regex(await verify(records.answer), /every verdict is the same/);
  const changed = (from: string, to: string) => records.answer.replace(from, to);
  const text = JSON.stringify(defined(readRecords(records.answer).sheets[0]));
  t.true(records.answer.includes(text));
  const forged: readonly (readonly [string, RegExp])[] = [
    [changed('"500.00"', '"900.00"'), /a sheet that the plan does not use/],
    [changed(`${text},`, ''), /lack a sheet/],
    [changed(text, `${text},${text}`), /a sheet that the plan does not use/],
  ];
  for (const [answer, message] of forged) await t.throwsAsync(verify(answer), { message });
});

import test, { type ExecutionContext } from 'ava';
import { readStatement, type Statement } from '../../../../services/verification/contract/proof/statement.ts';
import { canonicalBytes, digestBytes, digestRecord } from '../../../../services/verification/proof/digests.ts';
import { encodeStatement } from '../../../../services/verification/proof/encode-statement.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { factsOf } from './test-proof.ts';

const bytes = await encodeStatement(factsOf(1));
const statement = await readStatement(bytes);

async function refuses(t: ExecutionContext, value: unknown): Promise<void> {
  await t.throwsAsync(async () => readStatement(canonicalBytes(value)), { code: 'STATEMENT_MALFORMED' });
}

test('a statement is an in-toto Statement, version 1, with the given predicate', (t) => {
  t.is(statement._type, 'https://in-toto.io/Statement/v1');
  t.is(statement.predicateType, 'urn:tollhouse:verified-execution:v1');
  const { limitation, ...predicate } = statement.predicate;
  t.deepEqual(predicate, factsOf(1).predicate);
  t.is(limitation, 'Of the actions reported. Unreported actions and the truth of responses are not established.');
});

test('the subjects of a statement are the tenant, the plan, the execution and the artifacts by name', (t) => {
  t.deepEqual(statement.subject, [
    { name: 'tenant/tenant_1', digest: { sha256: digestRecord('tenant', 'tenant_1') } },
    { name: 'plan/plan_1', digest: { sha256: digestRecord('plan', { n: 1 }) } },
    { name: 'execution/exec_1', digest: { sha256: digestRecord('execution', { n: 1 }) } },
    { name: 'artifact/art_1', digest: { sha256: digestBytes(Buffer.from('one')) } },
    { name: 'artifact/art_2', digest: { sha256: digestBytes(Buffer.from('two')) } },
  ]);
});

test('the order of the given artifacts does not change the statement', async (t) => {
  const facts = factsOf(1);
  t.deepEqual(await encodeStatement({ ...facts, artifacts: facts.artifacts.toReversed() }), bytes);
});

test('a run without artifacts has a statement', async (t) => {
  t.is((await readStatement(await encodeStatement({ ...factsOf(1), artifacts: [] }))).subject.length, 3);
});

const FIRST_TYPE = 'https://tollhouse.example/verified-execution/v1';

/** A statement of the first receipt version. */
function firstStatement(): Statement {
  const { predicate } = statement;
  const versions = { ...predicate.versions, receipt: 'tollhouse-proof-receipt-1.0.0' };
  return { ...statement, predicateType: FIRST_TYPE, predicate: { ...predicate, versions } };
}

test('a statement of the first receipt version keeps its predicate type', async (t) => {
  t.is((await readStatement(canonicalBytes(firstStatement()))).predicateType, FIRST_TYPE);
});

test('refuses a predicate type of another receipt version', async (t) => {
  await refuses(t, { ...statement, predicateType: FIRST_TYPE });
  await refuses(t, { ...firstStatement(), predicateType: statement.predicateType });
  await refuses(t, { ...statement, predicateType: 'urn:tollhouse:verified-execution:v2' });
});

for (const verdict of ['violated', 'underdetermined', 'vacuous', 'indeterminate', 'invalid_input', 'engine_error']) {
  test(`refuses a statement with the verdict ${verdict}`, async (t) => {
    const { verdicts } = statement.predicate;
    for (const [check, value] of Object.entries(verdicts)) {
      const changed = { ...verdicts, [check]: { ...value, verdict } };
      await refuses(t, { ...statement, predicate: { ...statement.predicate, verdicts: changed } });
    }
  });
}

/** All objects within a value, including the value. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

test('refuses an unknown member in any object', async (t) => {
  const count = objectsIn(statement).length;
  t.true(count > 20);
  for (let at = 0; at < count; at += 1) {
    const changed = structuredClone(statement);
    Object.assign(defined(objectsIn(changed)[at]), { verified: true });
    await refuses(t, changed);
  }
});

test('refuses a statement without any one of its members', async (t) => {
  for (const [at, object] of objectsIn(statement).entries()) {
    for (const name of Object.keys(object)) {
      const changed = structuredClone(statement);
      Reflect.deleteProperty(defined(objectsIn(changed)[at]), name);
      await refuses(t, changed);
    }
  }
});

const [first, second, third, ...artifacts] = statement.subject;
const [tenant, plan, execution] = [defined(first), defined(second), defined(third)];

const SUBJECTS: readonly (readonly [string, Statement['subject']])[] = [
  ['two plans', [tenant, plan, plan]],
  ['no execution', [tenant, plan, ...artifacts]],
  ['the plan before the tenant', [plan, tenant, execution]],
  ['artifacts out of order', [tenant, plan, execution, ...artifacts.toReversed()]],
  ['one artifact twice', [tenant, plan, execution, ...artifacts.slice(0, 1), ...artifacts.slice(0, 1)]],
  ['two executions', [tenant, plan, execution, execution]],
  ["the digest of another tenant's id", [{ ...tenant, name: 'tenant/tenant_2' }, plan, execution]],
];

for (const [name, subject] of SUBJECTS) {
  test(`refuses a statement with ${name}`, async (t) => {
    await refuses(t, { ...statement, subject });
  });
}

test('refuses a statement that is not canonical JSON', async (t) => {
  const spaced = Buffer.from(JSON.stringify(statement, null, 1));
  await t.throwsAsync(async () => readStatement(spaced), { code: 'STATEMENT_MALFORMED' });
  await t.throwsAsync(async () => readStatement(Buffer.concat([bytes, Buffer.from('\n')])), {
    code: 'STATEMENT_MALFORMED',
  });
  await t.throwsAsync(async () => readStatement(bytes.subarray(1)), { code: 'STATEMENT_MALFORMED' });
});

test('does not write a statement that could not be read', async (t) => {
  const facts = factsOf(1);
  const predicate = {
    ...facts.predicate,
    approved_at: '2026-11-21T11:59:00.000000Z',
    received_at: '2026-11-21T12:00:00Z',
  };
  await t.throwsAsync(async () => encodeStatement({ ...facts, predicate }), { code: 'STATEMENT_MALFORMED' });
  await t.throwsAsync(async () => encodeStatement({ ...facts, tenantId: 'a/b' }), { code: 'STATEMENT_MALFORMED' });
});

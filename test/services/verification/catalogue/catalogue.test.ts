import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { importTools } from '../../../../services/verification/catalogue/operator-tools.ts';
import { readTool } from '../../../../services/verification/catalogue/tool-document.ts';
import { canonicalBytes, digestTool } from '../../../../services/verification/proof/digests.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { createSteps, PAY_ONLY } from '../steps.ts';
import { type Callers, useVerificationProcess } from '../verification-process.ts';
import { createCatalogueSteps } from './catalogue-steps.ts';
import { daily, reader, transfer } from './tools.ts';

const BY_TEST = { operator: 'test', reason: 'a test' };

let tenants = 0;
const verification = await useVerificationProcess();
const catalogue = createCatalogueSteps(verification.service);
test.after.always(() => verification.stop());

const addTenant = (): Promise<Callers> => {
  tenants += 1;
  return verification.addTenant(`catalogue-${tenants}`);
};
const operatorImports = (tools: readonly object[], tenantId?: string) =>
  verification.withDatabase('owner', (database) =>
    importTools(database, { tools: tools.map((tool) => readTool(tool, '')), tenantId, by: BY_TEST }),
  );

test('a description has the hash of its canonical text, and is read as it was sent', async (t) => {
  const { approver, reader: anyone } = await addTenant();
  const tool = transfer({ limits: [daily()] });
  const { sha256, origin } = await catalogue.describe(approver, tool);
  t.is(sha256, digestTool(canonicalBytes(tool)));
  t.is(origin, 'tenant');
  t.deepEqual((await catalogue.get(anyone, 'bank.transfer', '1.0.0')).tool, tool);
});

test('describing the same tool again changes nothing, and another under its name and version is refused', async (t) => {
  const { approver } = await addTenant();
  const first = await catalogue.describe(approver, transfer());
  t.deepEqual(await catalogue.describe(approver, transfer()), first);
  await t.throwsAsync(catalogue.describe(approver, transfer({ post: [{ id: 'a', expr: ['bool', true] }] })), {
    code: 'TOOL_EXISTS',
  });
  await catalogue.describe(approver, transfer({ version: '1.10.0' }));
  await catalogue.describe(approver, transfer({ version: '1.2.0' }));
  const own = (await catalogue.list(approver)).filter(({ origin }) => origin === 'tenant');
  const versions = own.map(({ version }) => version);
  t.deepEqual(versions, ['1.0.0', '1.2.0', '1.10.0']);
  await t.throwsAsync(catalogue.get(approver, 'bank.transfer', '9.0.0'), {
    code: 'NOT_FOUND',
    message: /bank\.transfer: there is 1\.0\.0, 1\.2\.0, 1\.10\.0$/,
  });
});

test('a version keeps the arguments that a limit of any other version counts', async (t) => {
  const { approver } = await addTenant();
  const described = (changes: object) => catalogue.describe(approver, transfer(changes));
  const { amount, ...others } = transfer().args;
  await described({ limits: [daily({ per: 'payee' })] });
  await described({ version: '1.1.0', limits: [] });
  for (const args of [
    { ...others, value: amount },
    { invoice: others.invoice, to: others.payee, amount },
  ]) {
    await t.throwsAsync(described({ version: '1.2.0', args, limits: [] }), {
      code: 'TOOL_EXISTS',
      message: /^a limit of bank\.transfer@1\.0\.0 counts its argument (amount|payee): keep the argument/,
    });
  }
  await described({ version: '1.2.0', args: { payee: others.payee, amount } });
  const theirs = transfer({ name: 'gift.send', limits: [daily()] });
  await operatorImports([theirs]);
  await t.throwsAsync(operatorImports([{ ...theirs, version: '2.0.0', args: others, limits: [] }]), {
    message: /counts its argument amount/,
  });
});

test('only an approver describes tools, and other tenants do not see them', async (t) => {
  const mine = await addTenant();
  await t.throwsAsync(catalogue.describe(mine.agent, transfer()), { code: 'ROLE_NOT_ALLOWED' });
  await t.throwsAsync(catalogue.describe(mine.reader, transfer()), { code: 'ROLE_NOT_ALLOWED' });
  await catalogue.describe(mine.approver, transfer());
  const other = await addTenant();
  t.false((await catalogue.list(other.agent)).some(({ name }) => name === 'bank.transfer'));
  await t.throwsAsync(catalogue.get(other.agent, 'bank.transfer', '1.0.0'), { code: 'NOT_FOUND' });
});

for (const [what, changes, pointer] of [
  ['another format', { tool_format: 1 }, '/tool/tool_format'],
  ['an unknown member', { price: 1 }, '/tool/price'],
  ['a name of dots alone', { name: '..' }, '/tool/name'],
  ['an act that moves money without an identity', { identity: null }, '/tool/identity'],
  ['an identity that is not returned', { identity: 'reference' }, '/tool/identity'],
  [
    'an identity that is a decimal',
    { identity: 'n', responds: { n: { type: 'decimal', scale: 2, at: '/n' } } },
    '/tool/identity',
  ],
  ['a limit of an unknown argument', { limits: [daily({ of: 'sum' })] }, '/tool/limits/0/of'],
  ['a limit of a text', { limits: [daily({ of: 'payee' })] }, '/tool/limits/0/of'],
  ['a limit of another scale', { limits: [daily({ most: '1000' })] }, '/tool/limits/0/most'],
  ['a limit of acts that is not whole', { limits: [daily({ of: null, most: '1.5' })] }, '/tool/limits/0/most'],
  ['a limit for each decimal', { limits: [daily({ per: 'amount' })] }, '/tool/limits/0/per'],
  ['two limits with one id', { limits: [daily(), daily({ within: 'week' })] }, '/tool/limits/1/id'],
] as const) {
  test(`a description with ${what} is refused at ${pointer}`, async (t) => {
    const { approver } = await addTenant();
    const error = await t.throwsAsync(catalogue.describe(approver, transfer(changes)), { code: 'MALFORMED_INPUT' });
    t.true(error.message.includes(`${pointer}: `), error.message);
  });
}

test('a name that can be mistaken for a listed one is refused', async (t) => {
  const { approver } = await addTenant();
  await catalogue.describe(approver, transfer());
  for (const name of ['Bank.Transfer', 'bank_transfer', 'bank.transfers', 'pay.refumd', 'pay_refund']) {
    await t.throwsAsync(catalogue.describe(approver, transfer({ name })), { code: 'TOOL_NAME_CONFUSABLE' }, name);
  }
});

test("the operator's setting raises effects and pins identities of descriptions", async (t) => {
  const { approver } = await addTenant();
  const effect = { name: 'mail.send', effect: 'none', identity: null };
  await t.throwsAsync(catalogue.describe(approver, transfer(effect)), { code: 'EFFECT_UNDERSTATED' });
  const elsewhere = { name: 'pay.refund', responds: { id: { type: 'string', max: 64, at: '/ref' } } };
  await t.throwsAsync(catalogue.describe(approver, transfer(elsewhere)), { code: 'IDENTITY_MISPLACED' });
  await catalogue.describe(approver, transfer({ name: 'pay.refund' }));
});

test('the operator describes tools for all tenants, and wins', async (t) => {
  const [mine, other] = [await addTenant(), await addTenant()];
  const before = await catalogue.describe(mine.approver, transfer({ name: 'ledger.post' }));
  t.is(before.origin, 'tenant');
  const theirs = transfer({ name: 'Ledger-Post', effect: 'write', identity: null });
  t.is(await operatorImports([theirs]), 1);
  t.is(await operatorImports([theirs]), 0);
  for (const { agent } of [mine, other]) {
    const found = (await catalogue.list(agent)).filter(({ name }) => /ledger/i.test(name));
    t.like(found, [{ name: 'Ledger-Post', origin: 'operator', effect: 'write' }]);
    t.is(found.length, 1);
  }
  await t.throwsAsync(catalogue.describe(mine.approver, transfer({ name: 'ledger.post', version: '2.0.0' })), {
    code: 'TOOL_NAME_CONFUSABLE',
  });
  await t.throwsAsync(catalogue.describe(mine.approver, transfer({ name: 'Ledger-Post', version: '2.0.0' })), {
    code: 'TOOL_EXISTS',
  });
  await t.throwsAsync(operatorImports([{ ...theirs, post: [{ id: 'a', expr: ['bool', true] }] }]), {
    message: /another description is Ledger-Post@1\.0\.0/,
  });
  await t.throwsAsync(operatorImports([transfer({ name: 'ledger:post' })]), { message: /can be mistaken/ });
});

test('an import is all or nothing, and is in the audit trail', async (t) => {
  const { tenantId, approver } = await addTenant();
  const wrong = [reader({ name: 'one.read' }), reader({ name: 'one_read' })];
  await t.throwsAsync(operatorImports(wrong, tenantId), { message: /can be mistaken/ });
  t.is((await catalogue.list(approver)).filter(({ origin }) => origin === 'tenant').length, 0);
  t.is(await operatorImports([reader({ name: 'one.read' })], tenantId), 1);
  const acts = await verification.withDatabase('owner', (database) =>
    database
      .selectFrom('operator_act')
      .select(['action', 'subject', 'detail'])
      .where('subject', '=', tenantId)
      .execute(),
  );
  t.deepEqual(acts, [{ action: 'verification.tools.import', subject: tenantId, detail: '{"given":1,"added":1}' }]);
  await t.throwsAsync(operatorImports([reader()], randomUUID()), { message: /foreign key/ });
});

test('a tenant has at most 1,000 descriptions', async (t) => {
  const { tenantId, approver } = await addTenant();
  await verification.withDatabase('service', (database) =>
    inTenant(database, tenantId, (transaction) =>
      sql`INSERT INTO verification.tool (tenant_id, name, version, name_folded, effect, document, sha256, created_by)
        SELECT ${tenantId}::uuid, 'filler' || number, '1.0.0', 'filler' || number, 'none', '{}',
          lpad(to_hex(number), 64, '0'), ${approver.keyId}::uuid
        FROM generate_series(1, 999) AS number`.execute(transaction),
    ),
  );
  await catalogue.describe(approver, transfer());
  await t.throwsAsync(catalogue.describe(approver, reader()), { code: 'TOO_MANY_TOOLS', message: /1000/ });
  await t.notThrowsAsync(catalogue.describe(approver, transfer()));
});

test("a plan names no description that the operator's setting contradicts, and describes no tool of the catalogue", async (t) => {
  const callers = await addTenant();
  const steps = createSteps(verification.service, callers);
  const elsewhere = { name: 'pay.refund', responds: { id: { type: 'string', max: 64, at: '/reference' } } };
  const harmless = { name: 'mail.send', effect: 'none', identity: null };
  const tools = [transfer(elsewhere), transfer(harmless)];
  await operatorImports(tools, callers.tenantId);
  const planOf = (tool: object, name: string) => {
    const step = { ...PAY_ONLY.steps[0], tool: `${name}@1.0.0`, evidence: [] };
    return { ...PAY_ONLY, tools: [tool], steps: [step] };
  };
  const create = (changes: { readonly name: string }) => steps.create(planOf(transfer(changes), changes.name));
  await t.throwsAsync(create(elsewhere), { code: 'IDENTITY_MISPLACED' });
  await t.throwsAsync(create(harmless), { code: 'EFFECT_UNDERSTATED' });
  const { tool_format: _, state: __, limits: ___, ...own } = transfer(harmless);
  await t.throwsAsync(steps.create(planOf(own, own.name)), { code: 'TOOL_EXISTS' });
});

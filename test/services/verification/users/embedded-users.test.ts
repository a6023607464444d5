import test from 'ava';
import { sql } from 'kysely';
import { createTenant } from '../../../../services/verification/tenants/keys.ts';
import {
  createEmbeddedUsers,
  readUsers,
  replaceUsers,
} from '../../../../services/verification/users/embedded-users.ts';
import { fc } from '../../../kit/fast-check.ts';
import { startVerificationDatabase } from '../verification-database.ts';
import { list, listAll } from './listing.ts';

const database = await startVerificationDatabase();
const embedded = createEmbeddedUsers(database.service);
const users = () => embedded;
test.after.always(() => database.stop());

const user = (id: string, over: Partial<{ name: string; email: string | null; active: boolean }> = {}) => ({
  id,
  name: `Name ${id}`,
  email: `${id}@example.com`,
  active: true,
  ...over,
});
let tenants = 0;
async function newTenant(imported: readonly ReturnType<typeof user>[]): Promise<string> {
  const tenantId = await createTenant(database.owner, `users-${tenants++}`);
  await replaceUsers(database.owner, tenantId, imported);
  return tenantId;
}
const idsOf = (pages: readonly { readonly users: readonly { readonly id: string }[] }[]) =>
  pages.flatMap((page) => page.users.map(({ id }) => id));

const NAMES = ['Ann', 'ANNA', 'Änne', 'änne%', 'Straße', 'a_b', 'Ｂob', '100% \\', 'İpek'];
const population = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-zA-Z0-9_.:-]{1,3}$/),
    name: fc.constantFrom(...NAMES),
    email: fc.option(fc.constantFrom('ann@example.com', 'ÄNNE@example.org', 'x@100.example')),
    active: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);
const wish = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  query: fc.option(fc.constantFrom('ann', 'ÄNN', '%', '_', '\\', 'strasse', 'bob', 'EXAMPLE', '@', 'i'), {
    nil: undefined,
  }),
  active: fc.option(fc.boolean(), { nil: undefined }),
  scopes: fc.constantFrom(['crm.email'], []),
});

test('the pages have every matching user once, in order', async (t) => {
  const tenantId = await newTenant([]);
  const property = fc.asyncProperty(population, wish, async (people, { limit, query, active, scopes }) => {
    await replaceUsers(database.owner, tenantId, people);
    const filter = { ...(query === undefined ? {} : { query }), ...(active === undefined ? {} : { active }) };
    const pages = await listAll(users, { tenantId, scopes }, { limit, filter });
    const fold = (text: string) => text.normalize('NFKC').toLowerCase();
    const matching = people
      .filter((each) => active === undefined || each.active === active)
      .filter(({ name, email }) => {
        if (query === undefined) return true;
        const searched = scopes.length > 0 && email !== null ? [name, email] : [name];
        return searched.some((text) => fold(text).includes(fold(query)));
      })
      .map(({ id }) => id)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    t.deepEqual(idsOf(pages), matching);
    t.true(pages.slice(0, -1).every((page) => page.users.length === limit));
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a key without the scope does not see addresses, and cannot search by them', async (t) => {
  const tenantId = await newTenant([user('1', { name: 'Ann', email: 'secret@hidden.example' })]);
  const { users: all } = await list(users, { tenantId });
  t.deepEqual(all, [{ id: '1', name: 'Ann', email: 's•••@hidden.example', email_masked: true, active: true }]);
  for (const query of ['secret', 's', '@', 'hidden', 'secret@hidden.example']) {
    const filter = { query };
    t.deepEqual((await list(users, { tenantId }, { filter })).users, [], query);
    const [seen] = (await list(users, { tenantId, scopes: ['crm.email'] }, { filter })).users;
    t.like(seen, { email: 'secret@hidden.example', email_masked: false }, query);
  }
});

test('an unknown or misspelled scope shows no addresses', async (t) => {
  const tenantId = await newTenant([user('1')]);
  for (const scope of ['crm', 'crm.*', 'CRM.EMAIL', 'crm.email ', '']) {
    t.true((await list(users, { tenantId, scopes: [scope] })).users[0]?.email_masked, scope);
  }
});

test("another tenant's users are never listed, and another tenant's cursor is refused", async (t) => {
  const mine = await newTenant([user('1'), user('3')]);
  const other = await newTenant([user('2'), user('4')]);
  t.deepEqual(idsOf(await listAll(users, { tenantId: other }, { limit: 1 })), ['2', '4']);
  const { next_cursor } = await list(users, { tenantId: mine }, { limit: 1 });
  await t.throwsAsync(list(users, { tenantId: other }, { limit: 1, cursor: next_cursor }), {
    code: 'MALFORMED_INPUT',
  });
});

test('without a tenant the service sees no user, and it can never change one', async (t) => {
  await newTenant([user('1')]);
  const { rows } = await sql`SELECT * FROM verification.crm_user`.execute(database.service);
  t.deepEqual(rows, []);
  for (const attempt of [
    sql`DELETE FROM verification.crm_user`,
    sql`UPDATE verification.crm_user SET active = true`,
    sql`INSERT INTO verification.crm_user SELECT * FROM verification.crm_user`,
  ]) {
    // 42501: insufficient_privilege.
    await t.throwsAsync(attempt.execute(database.service), { code: '42501' });
  }
});

test('a cursor continues after a user that was deleted in the meantime', async (t) => {
  const tenantId = await newTenant([user('1'), user('2'), user('3')]);
  const { next_cursor } = await list(users, { tenantId }, { limit: 2 });
  await replaceUsers(database.owner, tenantId, [user('1'), user('3'), user('4')]);
  const page = await list(users, { tenantId }, { cursor: next_cursor });
  t.deepEqual(idsOf([page]), ['3', '4']);
});

test('refuses a cursor with another filter', async (t) => {
  const tenantId = await newTenant([user('1'), user('2')]);
  const { next_cursor: cursor } = await list(users, { tenantId }, { limit: 1, filter: { query: 'NAME' } });
  t.deepEqual(idsOf([await list(users, { tenantId }, { cursor, filter: { query: 'name' } })]), ['2']);
  for (const filter of [undefined, { query: 'nam' }, { query: 'name', active: true }]) {
    await t.throwsAsync(list(users, { tenantId }, { cursor, filter }), { code: 'MALFORMED_INPUT' });
  }
});

for (const input of [
  { limit: 0 },
  { limit: 101 },
  { limit: '5' },
  { cursor: '' },
  { cursor: 'A'.repeat(1025) },
  { cursor: 'not!base64' },
  { cursor: null },
  { filter: { query: '' } },
  { filter: { query: 'x'.repeat(101) } },
  { filter: { active: 'yes' } },
  { filter: { email: 'ann@example.com' } },
  { scopes: ['crm.email'] },
  [],
]) {
  test(`refuses the arguments ${JSON.stringify(input).slice(0, 40)}`, async (t) => {
    const [tenantId] = database.tenants;
    await t.throwsAsync(list(users, { tenantId }, input), { code: 'MALFORMED_INPUT' });
  });
}

test('an import replaces all users, or none', async (t) => {
  const tenantId = await newTenant([user('1'), user('2')]);
  await t.throwsAsync(replaceUsers(database.owner, tenantId, [user('3'), user('3')]));
  t.deepEqual(await readUsers(database.owner, tenantId), [user('1'), user('2')]);
  t.is(await replaceUsers(database.owner, tenantId, [user('3')]), 2);
  t.deepEqual(await readUsers(database.owner, tenantId), [user('3')]);
  t.is(await replaceUsers(database.owner, '01a1ff10-ab22-7009-9a2f-8dff3c2533c4', [user('3')]), undefined);
});

test('concurrent imports leave the users of exactly one import', async (t) => {
  const tenantId = await newTenant([]);
  const given = ['a', 'b', 'c', 'd'].map((letter) => [user('same'), user(letter)]);
  await Promise.all(given.map((each) => replaceUsers(database.owner, tenantId, each)));
  const left = await readUsers(database.owner, tenantId);
  t.true(
    given.some((each) => JSON.stringify(each.toSorted((a, b) => (a.id < b.id ? -1 : 1))) === JSON.stringify(left)),
  );
});

test('a name that contains an address cannot be stored', async (t) => {
  // 23514: check_violation.
  await t.throwsAsync(newTenant([user('1', { name: 'ann＠example.com' })]), { code: '23514' });
});

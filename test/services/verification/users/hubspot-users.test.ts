import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { createHubspotUsers, type HubspotOptions } from '../../../../services/verification/users/hubspot-users.ts';
import { fc } from '../../../kit/fast-check.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { answering, closedUrl, hangingBody, resetting, silent, startUpstream } from '../../../kit/upstream-server.ts';
import { type HubspotOwner, serving, TOKEN } from './hubspot-server.ts';
import { type Asker, list, listAll } from './listing.ts';

const TENANT = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
const LONG_MS = 60_000;
const SOON_MS = 100;
const SECRET = 'secret@hidden.example';

const owner = (id: string, over: Partial<HubspotOwner> = {}): HubspotOwner => ({
  id,
  type: 'PERSON',
  email: SECRET,
  firstName: 'Ann',
  lastName: `No ${id}`,
  archived: false,
  ...over,
});

/** Creates the HubSpot source in front of a test server. No log line and no error may contain the token or an address. */
async function setUp(t: ExecutionContext, over: Partial<HubspotOptions> = {}) {
  const upstream = await startUpstream(t);
  const { logger, text } = keepLog();
  const policy = { retryWaitMs: 1, breakAfter: 100 };
  const { baseUrl } = upstream;
  const source = createHubspotUsers({ baseUrl, token: TOKEN, timeoutMs: LONG_MS, logger, policy, ...over });
  const failures: unknown[] = [];
  t.teardown(() => {
    const output = `${inspect(failures, { depth: 10, showHidden: true })}${text()}`;
    if (output.includes(TOKEN) || output.includes(SECRET))
      throw new Error(`an error or the log has a secret: ${output}`);
  });
  const asker: Asker = { tenantId: TENANT };
  const codeOf = (input: unknown = {}, more: Partial<Asker> = {}): Promise<string> =>
    list(() => source, { ...asker, ...more }, input).then(
      (page) => `${page.users.length} users`,
      (error) => {
        failures.push(error);
        return String(error.code);
      },
    );
  return { upstream, sources: () => source, codeOf };
}

const idsOf = (pages: readonly { readonly users: readonly { readonly id: string }[] }[]) =>
  pages.flatMap((page) => page.users.map(({ id }) => id));

test('requests the owners with token and limit, and lists them as users', async (t) => {
  const { upstream, sources } = await setUp(t);
  upstream.behave(serving([owner('1'), owner('2', { email: null, firstName: '', lastName: ' Bo ' })]));
  const page = await list(sources, { tenantId: TENANT }, { filter: { active: true } });
  t.deepEqual(page, {
    source: 'hubspot',
    users: [
      { id: '1', name: 'Ann No 1', email: 's•••@hidden.example', email_masked: true, active: true },
      { id: '2', name: 'Bo', email: null, email_masked: false, active: true },
    ],
    next_cursor: null,
  });
  t.like(upstream.seen, [{ path: '/crm/v3/owners', query: { limit: '50', archived: 'false' } }]);
  t.is(upstream.seen[0]?.headers.authorization, `Bearer ${TOKEN}`);
});

const owners = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 99 }).map(String),
    type: fc.constantFrom('PERSON', 'PERSON', 'QUEUE'),
    email: fc.constantFrom('ann@example.com', 'bo@example.com', null),
    firstName: fc.constantFrom('Ann', 'Bo', 'ann@example.com'),
    archived: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);
const wish = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  query: fc.option(fc.constantFrom('ANN', 'bo', '@', 'example'), { nil: undefined }),
  active: fc.option(fc.boolean(), { nil: undefined }),
  scopes: fc.constantFrom(['crm.email'], []),
});

test('the pages have every matching person once', async (t) => {
  const { upstream, sources } = await setUp(t);
  const property = fc.asyncProperty(owners, wish, async (all, { limit, query, active, scopes }) => {
    upstream.behave(serving(all));
    const filter = { ...(query === undefined ? {} : { query }), ...(active === undefined ? {} : { active }) };
    const pages = await listAll(sources, { tenantId: TENANT, scopes }, { limit, filter });
    const searched = ({ firstName, email }: (typeof all)[number]) => {
      if (scopes.length > 0) return email === null ? firstName : `${firstName}\n${email}`;
      return firstName.includes('@') ? '' : firstName;
    };
    const matching = all
      .filter(({ type }) => type === 'PERSON')
      .filter(({ archived }) => active === undefined || archived !== active)
      .filter((each) => query === undefined || searched(each).toLowerCase().includes(query.toLowerCase()));
    const inOrder = [...matching.filter(({ archived }) => !archived), ...matching.filter(({ archived }) => archived)];
    t.deepEqual(
      idsOf(pages),
      inOrder.map(({ id }) => id),
    );
  });
  await fc.assert(property, { numRuns: 60 });
});

test('without the scope, a name that is an address is not shown and not searched', async (t) => {
  const { upstream, sources } = await setUp(t);
  upstream.behave(serving([owner('1', { firstName: SECRET, lastName: '' })]));
  t.is((await list(sources, { tenantId: TENANT })).users[0]?.name, null);
  for (const query of ['secret', '@', 's']) {
    t.deepEqual((await list(sources, { tenantId: TENANT }, { filter: { query } })).users, [], query);
  }
});

test('a server that mixes both lists shows no user twice', async (t) => {
  const { upstream, sources } = await setUp(t);
  upstream.behave(answering({ results: [owner('1'), owner('2', { archived: true })] }));
  t.deepEqual(idsOf(await listAll(sources, { tenantId: TENANT })), ['1', '2']);
});

test('refuses a cursor of another tenant, or of the other list, without a request', async (t) => {
  const { upstream, sources, codeOf } = await setUp(t);
  upstream.behave(serving([owner('1'), owner('2')]));
  const { next_cursor: cursor } = await list(sources, { tenantId: TENANT }, { limit: 1 });
  const other = '01a1ff10-ab22-7009-9a2f-8dff3c2533c5';
  t.is(await codeOf({ cursor }, { tenantId: other }), 'MALFORMED_INPUT');
  t.is(await codeOf({ cursor, filter: { active: false } }), 'MALFORMED_INPUT');
  t.is(upstream.seen.length, 1);
});

test('any status but 2xx is a failure of the upstream', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  for (const status of [204, 400, 401, 403, 404, 500, 503]) {
    upstream.behave(answering(status === 204 ? '' : `nobody but ${TOKEN}`, status));
    t.is(await codeOf(), 'UPSTREAM_FAILURE', `${status}`);
  }
});

test('repeats the request once after a 429, and a second 429 is a failure', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  upstream.behave(answering('', 429, { 'retry-after': '0' }), serving([owner('1')]));
  t.is(await codeOf(), '1 users');
  upstream.behave(answering('', 429));
  t.is(await codeOf(), 'UPSTREAM_FAILURE');
  t.is(upstream.seen.length, 4);
});

test('an answer that is not JSON, has an undocumented form or is too long is a failure of the upstream', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  const page = (results: unknown, paging?: unknown) => ({ results, paging });
  for (const body of [
    '',
    '{"results":[',
    'null',
    {},
    page({}),
    page([{ ...owner('1'), id: 7 }]),
    page([{ ...owner('1'), id: SECRET }]),
    page([{ ...owner('1'), archived: undefined }]),
    page([{ ...owner('1'), email: { address: SECRET } }]),
    page([owner('1')], { next: { after: 7 } }),
    page([owner('1')], { next: { after: 'x'.repeat(513) } }),
    page([owner('1')], { next: { after: 'a b' } }),
    page([owner('1'), owner('2'), owner('3')]),
  ]) {
    upstream.behave(answering(body));
    t.is(await codeOf({ limit: 2 }), 'UPSTREAM_FAILURE', inspect(body, { depth: 5 }));
  }
});

test('a page whose cursor leads to itself is a failure of the upstream', async (t) => {
  const { upstream, sources, codeOf } = await setUp(t);
  upstream.behave(answering({ results: [owner('1')], paging: { next: { after: 'again' } } }));
  const { next_cursor: cursor } = await list(sources, { tenantId: TENANT });
  t.is(await codeOf({ cursor }), 'UPSTREAM_FAILURE');
});

test('replaces lone surrogates in names', async (t) => {
  const { upstream, sources } = await setUp(t);
  upstream.behave(answering('{"results":[{"id":"1","archived":false,"firstName":"\\ud800\\u0000x","email":null}]}'));
  t.is((await list(sources, { tenantId: TENANT })).users[0]?.name, '\ufffd\0x');
});

test('a body that is too large is a failure of the upstream, compressed or not', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  const large = `${' '.repeat(3 * 1024 * 1024)}${JSON.stringify({ results: [] })}`;
  upstream.behave(answering(large), (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
  });
  t.deepEqual([await codeOf(), await codeOf()], ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE']);
});

test('an answer that does not start or end in time is a timeout', async (t) => {
  const { upstream, codeOf } = await setUp(t, { timeoutMs: SOON_MS });
  upstream.behave(silent, hangingBody);
  t.deepEqual([await codeOf(), await codeOf()], ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
});

test('a broken or refused connection is a failure of the upstream', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  upstream.behave(resetting);
  t.is(await codeOf(), 'UPSTREAM_FAILURE');
  t.is(await (await setUp(t, { baseUrl: await closedUrl() })).codeOf(), 'UPSTREAM_FAILURE');
});

test('a redirect is not followed, so the token is not sent to another host', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  const elsewhere = await startUpstream(t, serving([owner('1')]));
  for (const status of [301, 302, 307, 308]) {
    upstream.behave(answering('', status, { location: `${elsewhere.baseUrl.href}crm/v3/owners` }));
    t.is(await codeOf(), 'UPSTREAM_FAILURE');
  }
  t.deepEqual(elsewhere.seen, []);
});

test('a HubSpot that hangs holds eight callers, and answers again once they have left', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  upstream.behave(silent);
  const callers = new AbortController();
  const held = Array.from({ length: 8 }, () => codeOf({}, { signal: callers.signal }));
  await upstream.arrived(8);
  t.is(await codeOf(), 'OVERLOADED');
  callers.abort();
  t.deepEqual(await Promise.all(held), Array(8).fill('CANCELLED'));
  upstream.behave(serving([owner('1')]));
  t.is(await codeOf(), '1 users');
});

test('a caller that leaves ends the request', async (t) => {
  const { upstream, codeOf } = await setUp(t);
  upstream.behave(silent);
  const caller = new AbortController();
  const code = codeOf({}, { signal: caller.signal });
  await upstream.arrived(1);
  caller.abort();
  t.is(await code, 'CANCELLED');
});

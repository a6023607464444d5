import test from 'ava';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { readConfig } from '../../../../services/verification/config.ts';
import { createUserSources } from '../../../../services/verification/users/user-sources.ts';
import { startUpstream } from '../../../kit/upstream-server.ts';
import { serving, TOKEN } from './hubspot-server.ts';
import { list } from './listing.ts';

const TENANT = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
const OTHER = '01a1ff10-ab22-7009-9a2f-8dff3c2533c5';
const logger = createLogger({ name: 'test', level: 'silent' });
/** A database that these tests never query. */
const database = openDatabase({ url: 'postgres://127.0.0.1:1/none', connections: 1, logger });

function create(environment: NodeJS.ProcessEnv) {
  const config = readConfig({ DATABASE_URL: 'postgres://x', CREATE_KEYS: 'true', ...environment });
  return createUserSources({ database, config, logger });
}

test('a tenant without a token has its users in the database', (t) => {
  t.is(create({})(TENANT).kind, 'embedded');
  t.is(create({ HUBSPOT_TOKENS: `${OTHER}=${TOKEN}` })(TENANT).kind, 'embedded');
});

test('each tenant has its own token', async (t) => {
  const upstream = await startUpstream(t, serving([]));
  const sources = create({
    HUBSPOT_TOKENS: `${TENANT}=${TOKEN}, ${OTHER}=its-own=token`,
    HUBSPOT_URL: `${upstream.baseUrl}`,
  });
  t.is((await list(sources, { tenantId: TENANT })).source, 'hubspot');
  await t.throwsAsync(list(sources, { tenantId: OTHER }), { code: 'UPSTREAM_FAILURE' });
  t.deepEqual(
    upstream.seen.map(({ headers }) => headers.authorization),
    [`Bearer ${TOKEN}`, 'Bearer its-own=token'],
  );
});

for (const HUBSPOT_TOKENS of [
  TOKEN,
  `acme=${TOKEN}`,
  `${TENANT}=`,
  `${TENANT}=${TOKEN}\u{7f}`,
  `${TENANT}=${TOKEN} x`,
  `${TENANT}=${TOKEN},`,
  `${TENANT}=${TOKEN},${TENANT}=${TOKEN}`,
]) {
  test(`refuses HUBSPOT_TOKENS=${JSON.stringify(HUBSPOT_TOKENS)} without repeating the token`, (t) => {
    const error = t.throws(() => create({ HUBSPOT_TOKENS }), { instanceOf: ConfigurationError });
    t.regex(error.message, /HUBSPOT_TOKENS/);
    t.false(error.message.includes(TOKEN));
  });
}

for (const HUBSPOT_URL of ['http://api.hubapi.com', 'http://127.0.0.1.example', 'ftp://127.0.0.1', 'hubspot']) {
  test(`refuses HUBSPOT_URL=${HUBSPOT_URL}, because the token would not be sent over HTTPS`, (t) => {
    t.throws(() => create({ HUBSPOT_URL }), { instanceOf: ConfigurationError, message: /HUBSPOT_URL/ });
  });
}

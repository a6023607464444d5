import { createHash, randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import test from 'ava';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { runTollhouse } from '../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { openDatabase } from '../../services/store/database.ts';
import { createWallet, decodePayment } from '../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  fundedWallet,
  headerOf,
  pay,
  post,
  requirementsOf,
  signIn,
  toBase64,
} from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: stack.databaseUrl, connections: 2, logger, statementTimeoutMs: 60_000 });
test.after.always(async () => {
  await database.destroy();
  await stack.stop();
});

interface Sent {
  readonly title: string;
  readonly body: { readonly html: string };
  readonly answer: Answer;
  /** Parts of the authentication or payment header that nothing may keep. */
  readonly secrets: readonly string[];
}

/** Random text that cannot be compressed or occur elsewhere. */
const newBody = () => ({ html: `<p>${randomBytes(300).toString('base64url')}` });

async function sendTrial(): Promise<Sent> {
  const body = newBody();
  const proof = await signIn(await post(url, body), createWallet());
  const header = toBase64(proof);
  const answer = await post(url, body, { 'sign-in-with-x': header });
  // The nonce is no secret: it is used up, and the ledger has it.
  return { title: 'a trial', body, answer, secrets: [header, String(proof['signature'])] };
}

async function sendPaid(identifier?: string): Promise<Sent> {
  const body = newBody();
  const header = await pay(requirementsOf(await post(url, {})), await fundedWallet(stack.urls[0]), identifier);
  const { payload, accepted } = decodePayment(header);
  const answer = await post(url, body, { 'payment-signature': header });
  const secrets = [header, payload.signature, String(accepted.extra.offerSecret)];
  return { title: 'a payment', body, answer, secrets };
}

/** All rows of all tables as text, bytes in hexadecimal. */
async function dumpTables(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname NOT IN ('pg_catalog', 'information_schema')`.execute(
    database,
  );
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.raw(name)} AS t`.execute(database);
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(dumps)).join('\n').toLowerCase();
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** The forms in which text could be in a row. */
const formsOf = (text: string): readonly string[] => [text, hexOf(Buffer.from(text)), toBase64(text)];
/** What a hash without a key could be in a row. */
const hashesOf = (text: string): readonly string[] =>
  ['md5', 'sha1', 'sha256', 'sha512', 'sha3-256', 'blake2b512'].flatMap((algorithm) => {
    const bytes = createHash(algorithm).update(text).digest();
    return [bytes.toString('hex'), bytes.toString('base64')];
  });
/** The end of the frame: the last literals, without the header. */
const zstdOf = (text: string): string => hexOf(zstdCompressSync(text).subarray(-64));

const readShown = createJsonReader(
  Type.Object({ requestId: Type.String(), request: Type.String(), response: Type.String() }),
  'the call',
);

async function show(requestId: string) {
  const environment = { DATABASE_URL: stack.databaseUrl, TOLLHOUSE_DATA: stack.dataDir };
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await runTollhouse(['retention', 'show', requestId, '--reason', 'a test', '--json'], { environment, say });
  return readShown(lines.join(''));
}

test('bodies and headers of trials and payments are in no table, and operators find the bodies by the request id', async (t) => {
  const sent = await Promise.all([sendTrial(), sendPaid()]);
  const dump = await dumpTables();
  for (const { title, body, answer, secrets } of sent) {
    t.is(answer.status, 200, answer.text);
    const request = JSON.stringify(body);
    for (const text of [body.html.slice(3), request, answer.text]) {
      for (const form of [...formsOf(text), zstdOf(text)])
        t.false(dump.includes(form.toLowerCase()), `${title}: ${text}`);
    }
    for (const secret of secrets) {
      for (const form of formsOf(secret)) t.false(dump.includes(form.toLowerCase()), `${title}: ${secret}`);
    }
    const requestId = headerOf(answer, 'x-request-id');
    t.true(dump.includes(requestId), 'the dump has the rows of these calls');
    const shown = await show(requestId);
    t.is(shown.requestId, requestId);
    t.is(shown.request, request);
    t.is(shown.response, answer.text);
    for (const secret of secrets) t.false(JSON.stringify(shown).includes(secret));
  }
});

test('no table has a hash of a request or an identifier that somebody could guess', async (t) => {
  const identifier = `order-${randomBytes(16).toString('hex')}`;
  const sent = await Promise.all([sendTrial(), sendPaid(identifier)]);
  const dump = await dumpTables();
  for (const { title, body, answer } of sent) {
    t.is(answer.status, 200, answer.text);
    t.true(dump.includes(headerOf(answer, 'x-request-id')), 'the dump has the rows of these calls');
    const request = JSON.stringify(body);
    const lines = hashesOf(request).flatMap((hash) => [`POST ${CONVERT} ${hash}`, `${CONVERT} ${hash}`]);
    for (const guess of [body.html, request, `POST ${CONVERT} ${request}`, ...lines, identifier]) {
      for (const hash of hashesOf(guess)) t.false(dump.includes(hash.toLowerCase()), `${title}: a hash of ${guess}`);
    }
  }
});

test('a payment whose result was deleted is refused, and not answered as a passing fault', async (t) => {
  const { body, answer, secrets } = await sendPaid();
  const [header] = secrets;
  const { numDeletedRows } = await database
    .deleteFrom('retained_body')
    .where('request_id', '=', headerOf(answer, 'x-request-id'))
    .executeTakeFirstOrThrow();
  t.is(numDeletedRows, 1n);
  const again = await post(url, body, { 'payment-signature': String(header) });
  t.deepEqual([again.status, codeOf(again)], [409, 'PAYMENT_REUSED'], again.text);
});

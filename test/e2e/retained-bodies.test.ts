import { randomBytes } from 'node:crypto';
import test from 'ava';
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
  return { body, answer, secrets: [header, String(proof['signature'])] };
}

async function sendPaid(): Promise<Sent> {
  const body = newBody();
  const header = await pay(requirementsOf(await post(url, {})), await fundedWallet(stack.urls[0]));
  const { payload, accepted } = decodePayment(header);
  const answer = await post(url, body, { 'payment-signature': header });
  const secrets = [header, payload.signature, String(accepted.extra.offerSecret)];
  return { body, answer, secrets };
}

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

test('operators find the bodies of trials and payments by the request id, without any header', async (t) => {
  for (const { body, answer, secrets } of await Promise.all([sendTrial(), sendPaid()])) {
    t.is(answer.status, 200, answer.text);
    const requestId = headerOf(answer, 'x-request-id');
    const shown = await show(requestId);
    t.deepEqual(shown, { ...shown, requestId, request: JSON.stringify(body), response: answer.text });
    for (const secret of secrets) t.false(JSON.stringify(shown).includes(secret));
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

import test from 'ava';
import { openBuyers, type SignedCall } from '../kit/buyers.ts';
import { CONVERT, codeOf, post, rawRequest } from '../kit/client.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

const LIMIT = 30;
const BODY = { html: '<h1>Limits</h1>' };
const stack = await useSharedStack();
const PUBLIC_URLS = stack.urls[0];
const settings = { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '127.0.0.0/8', PUBLIC_URLS };
const gateway = await startExtraGateway(stack, settings);
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

const url = gateway.url + CONVERT;
/** The header by which a trusted proxy names its client. */
const from = (address: string) => ({ 'x-forwarded-for': address });

test.serial(
  'failures and unsigned requests over the limit of an address or a /64 get 429, and health does not',
  async (t) => {
    for (const [addressOf, body, status] of [
      [() => '192.0.2.1', BODY, 402],
      [() => '192.0.2.3', { html: '' }, 400],
      [(index: number) => `2001:db8::${index + 1}`, BODY, 402],
    ] as const) {
      const send = (_: unknown, index: number) => post(url, body, from(addressOf(index)));
      const answers = await Promise.all(Array.from({ length: LIMIT + 10 }, send));
      const refused = answers.filter((answer) => answer.status !== status);
      t.is(refused.length, 10);
      for (const answer of refused) {
        t.deepEqual([answer.status, codeOf(answer)], [429, 'RATE_LIMITED']);
        t.true(Number(answer.headers.get('retry-after')) > 0);
      }
    }
    for (const other of ['192.0.2.2', '2001:db8:0:1::1']) t.is((await post(url, BODY, from(other))).status, 402, other);
    const health = { method: 'GET', headers: from('192.0.2.1') };
    t.is((await rawRequest(`${gateway.url}/health/live`, health)).status, 200);
  },
);

test.serial(
  'paid calls and trials that succeed give back their unsigned request, and the outcome of an admitted one is told over the limit',
  async (t) => {
    const trials = await Promise.all(
      Array.from({ length: LIMIT + 2 }, () => openBuyers(PUBLIC_URLS).trial().sign(CONVERT, BODY)),
    );
    // A client asks for the offer from the same address first.
    const pay = async ({ headers }: Pick<SignedCall, 'headers'>, address: string) => {
      const { status } = await post(url, BODY, from(address));
      return [status, (await post(url, BODY, { ...headers, ...from(address) })).status];
    };
    for (const trial of trials) t.deepEqual(await pay(trial, '192.0.2.6'), [402, 200]);
    const exact = await (await openBuyers(PUBLIC_URLS).exact()).sign(CONVERT, BODY);
    for (let sent = 0; sent < LIMIT; sent += 1) t.deepEqual(await pay(exact, '192.0.2.7'), [402, 200]);
    t.is((await post(url, BODY, from('192.0.2.7'))).status, 402, 'the first of these was paid for');
    t.is((await post(url, BODY, from('192.0.2.7'))).status, 429, 'the others repeated its answer');
    const bomb = { html: '<i>'.repeat(600_000) };
    const { headers } = await openBuyers(PUBLIC_URLS).trial().sign(CONVERT, bomb);
    const answer = await post(url, bomb, { ...headers, ...from('192.0.2.1') });
    t.is(codeOf(answer), 'DOCUMENT_TOO_COMPLEX');
    t.is(answer.headers.get('x-access-mode'), 'trial');
    t.is(answer.headers.get('x-trial-status'), 'released');
  },
);

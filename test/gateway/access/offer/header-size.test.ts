import test, { type ExecutionContext } from 'ava';
import { createAccess } from '../../../../gateway/access/access.ts';
import { createOffersByOrigin } from '../../../../gateway/access/offer/offers-by-origin.ts';
import { MAX_REQUIRED_CHARACTERS } from '../../../../gateway/access/offer/payment-required.ts';
import { createRefundOffers, REFUND_PATH } from '../../../../gateway/access/offer/refund-offer.ts';
import { createRefundAccess } from '../../../../gateway/access/refund-access.ts';
import { registerRefund } from '../../../../gateway/channels/refund-route.ts';
import { operations } from '../../../../gateway/operations/index.ts';
import type { Operation } from '../../../../gateway/operations/operation/operation.ts';
import { registerOperations } from '../../../../gateway/operations/routes.ts';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { until } from '../../../kit/until.ts';
import { openRaw } from '../../http/raw-client.ts';
import { serve } from '../../http/served-app.ts';
import { openChallenger } from '../challenge/fixture.ts';
import { PAYMENTS, TRIALS } from './largest-answers.ts';
import { CHANNELS, SECRETS, TERMS } from './offer-fixture.ts';

/** nginx takes 4,096 bytes of headers unless it is told otherwise. */
const MAX_BYTES = 4000;
const ORIGIN = new URL(`https://${'long-name.'.repeat(9)}de`);

/** The paid API with its real answers. Only what becomes of a payment or a proof is decided by the test. */
async function open(t: ExecutionContext) {
  const terms = { ...TERMS, channels: CHANNELS };
  const publicUrls = [ORIGIN];
  const state = { isReady: true, isAffordable: true };
  let outcome = '';
  const pay = async () => defined(PAYMENTS[outcome])();
  const access = createAccess({
    findOffer: createOffersByOrigin({ operations, publicUrls, terms, secrets: SECRETS }),
    ledger: {
      ready: () => (state.isReady ? { ok: true } : { ok: false, reason: 'away' }),
      budget: async () => ({ dayUtc: '', remainingMicroUsd: state.isAffordable ? MAX_MICRO_USD : 0n }),
      checkLocks: async () => {},
    },
    challenger: openChallenger().challenger,
    trial: { run: async (request) => defined(TRIALS[outcome])(request) },
    payment: { run: pay },
    freeze: { state: () => 'open' },
    arePaymentsTaken: async () => true,
    now: () => (state.isAffordable ? 0 : 86_400_000),
    monotonicMs: () => (state.isAffordable ? 0 : 86_400_000),
  });
  const findOffer = createRefundOffers({ publicUrls, terms, secrets: SECRETS });
  const refundAccess = createRefundAccess({ findOffer, refund: { run: pay } });
  const { port } = await serve(t, { isHttps: true }, ({ app, limiter }) => {
    registerOperations(app, { operations, access, limiter, boundsNetworks: false });
    registerRefund(app, { refundAccess, limiter });
  });

  /** Sends a request with all that a client could try to have echoed. @returns the head of the answer */
  async function headOf(request: string, { header = '', body = {}, result = '', host = ORIGIN.host } = {}) {
    outcome = result;
    const json = JSON.stringify(body);
    const sent = [
      `${request} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: https://${'o'.repeat(2000)}.example`,
      `X-Request-Id: ${'i'.repeat(200)}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
      ...(header === '' ? [] : [`${header}: e30=`]),
    ];
    const { socket, received } = openRaw(port, `${sent.join('\r\n')}\r\n\r\n${json}`);
    await until(() => received().includes('\r\n\r\n'));
    socket.destroy();
    return received().slice(0, received().indexOf('\r\n\r\n') + 4);
  }
  return { state, headOf };
}

type Api = Awaited<ReturnType<typeof open>>;

/** The heads of all answers of an operation, by what they answer. */
async function headsOf({ state, headOf }: Api, { path, requestExample }: Operation): Promise<Map<string, string>> {
  const heads = new Map<string, string>();
  const call = `POST ${path}`;
  const example = { body: requestExample };
  heads.set('discovery_probe', await headOf(call));
  heads.set('challenge', await headOf(call, example));
  heads.set('challenge at a host that is not listed', await headOf(call, { ...example, host: 'other.example' }));
  state.isAffordable = false;
  heads.set('daily_budget_exhausted, unsigned', await headOf(call, example));
  state.isReady = false;
  heads.set('discovery_probe without trials', await headOf(call));
  heads.set('unavailable', await headOf(call, example));
  Object.assign(state, { isAffordable: true, isReady: true });
  for (const result of Object.keys(TRIALS)) {
    heads.set(`trial: ${result}`, await headOf(call, { ...example, header: 'SIGN-IN-WITH-X', result }));
  }
  for (const result of Object.keys(PAYMENTS)) {
    heads.set(`payment: ${result}`, await headOf(call, { ...example, header: 'PAYMENT-SIGNATURE', result }));
  }
  return heads;
}

test('the public URL has 100 characters without its path', (t) => {
  t.is(ORIGIN.origin.length, 100);
});

for (const operation of operations) {
  test(`every answer has at most ${MAX_BYTES} bytes of headers: ${operation.name}`, async (t) => {
    const heads = await headsOf(await open(t), operation);
    for (const [kind, head] of heads) {
      t.log(`${head.length} ${kind}`);
      t.true(head.length <= MAX_BYTES, `${kind}: ${head.length}`);
      const others = head.replace(/^(payment-re\w+: ).*$/gm, '$1').length;
      const room = /^payment-required: /m.test(head) ? MAX_BYTES - MAX_REQUIRED_CHARACTERS : MAX_BYTES;
      t.true(others <= room, `${kind}, without what an offer fills: ${others}`);
      const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1];
      t.is(status, /, (\d+)$/.exec(kind)?.[1] ?? TRIAL_STATUS.get(kind) ?? '402', kind);
      t.false(/o{100}|i{100}/.test(head), `${kind} echoes the request`);
    }
  });
}

const TRIAL_STATUS = new Map([
  ['trial: nonce_replayed', '401'],
  ['trial: throttled', '429'],
]);

test(`every answer has at most ${MAX_BYTES} bytes of headers: refunds`, async (t) => {
  const { headOf } = await open(t);
  for (const method of ['GET', 'POST']) {
    const call = `${method} ${REFUND_PATH}`;
    const heads = [await headOf(call)];
    for (const result of Object.keys(PAYMENTS)) heads.push(await headOf(call, { header: 'PAYMENT-SIGNATURE', result }));
    for (const head of heads) t.true(head.length <= MAX_BYTES, head);
    t.regex(defined(heads[0]), /^payment-required: /m);
  }
});

import { readFileSync } from 'node:fs';
import test from 'ava';
import { startVisitor } from '../../e2e/pages/browse.ts';
import { fundedWallet } from '../../kit/client.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { signText } from './remote-wallet.ts';

const GENERATED = new URL('../../../gateway/client/generated/', import.meta.url);
const MODULES = 'client-modules';

const stack = await useSharedStack();
const [origin] = stack.urls;
/** Another origin than that of the calls: what a page of somebody else can read of an answer is less. */
const pageOrigin = origin.replace('127.0.0.1', 'localhost');
const visitor = await startVisitor(pageOrigin);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

const script = (address: string) => `(async () => {
  const { createClient } = await import('/${MODULES}/client.mjs');
  const { createWebStore } = await import('/${MODULES}/web-store.mjs');
  const sign = (data) => signText(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  const signer = { address: '${address}', signMessage: sign, signTypedData: sign };
  const lose = async (...request) => {
    const answer = await fetch(...request);
    if (new Headers(request[1].headers).has('payment-signature')) throw new TypeError('the connection broke');
    return answer;
  };
  const open = (more) => createClient({ origin: '${origin}', signer, store: createWebStore(localStorage), ...more });
  const call = async (client, pay) => {
    const outcome = await client.call('html-to-markdown', { html: '<h1>Toll</h1>' }, { pay, maxPrice: 3000n });
    return outcome.ok ? outcome.paidBy : outcome.code;
  };
  const lost = await call(open({ fetch: lose }), 'exact');
  const kept = localStorage.length;
  return [await call(open(), 'trial'), lost, kept, await call(open(), 'exact'), localStorage.length];
})()`;

test('a page of another origin tries, pays, and sends an open payment again', async (t) => {
  const wallet = await fundedWallet(origin);
  const { page, close } = await visitor.open('/nowhere', { bypassCSP: true });
  t.teardown(close);
  await page.exposeFunction('signText', (text: string) => signText(wallet, text));
  await page.route(`${pageOrigin}/${MODULES}/*`, (route) => {
    const body = readFileSync(new URL(route.request().url().split('/').slice(-1).join(), GENERATED), 'utf8');
    return route.fulfill({ body, contentType: 'text/javascript' });
  });
  t.deepEqual(await page.evaluate(script(wallet.address)), ['trial', 'NO_ANSWER', 1, 'exact', 0]);
});

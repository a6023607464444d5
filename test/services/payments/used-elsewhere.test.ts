import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { connectChain, createWallet, signPayment } from '../../helpers/chain.ts';
import { portOf } from '../../helpers/port-of.ts';
import { AMOUNT, offerOf, present, startPayments } from './harness.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
/** What the node is asked. */
const asked: string[] = [];
const proxy = createServer(async (request, response) => {
  const body = await text(request);
  asked.push(body);
  const answer = await fetch(sandbox.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  response.setHeader('content-type', 'application/json').end(await answer.text());
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
const service = await startPayments({
  env: {
    DATABASE_URL: sandbox.databaseUrl,
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: `http://127.0.0.1:${portOf(proxy)}`,
    X402_PAY_TO: createWallet().address,
    X402_NETWORK: 'eip155:31337',
    X402_FINALITY_INTERVAL_MS: '600000',
  },
});
const offer = offerOf(await service.terms());
test.after.always(async () => {
  await service.stop();
  proxy.close();
  await sandbox.stop();
});

test('a used authorization of anybody is searched on the chain once, and its payer is not in the log', async (t) => {
  const wallet = createWallet();
  await chain.mint(wallet.address, 10n * BigInt(AMOUNT));
  const payment = await signPayment(wallet, { ...offer, payTo: createWallet().address });
  await chain.submit(payment);
  const presented = { ...present({ ...payment, accepted: offer }), offerSecretHash: Buffer.alloc(0) };
  await service.begin(presented);
  const first = asked.filter((body) => body.includes('getLogs')).length;
  t.true(first > 0);
  const lines = service.log().split('\n').length;
  for (let count = 0; count < 20; count += 1) await service.begin(presented);
  t.is(asked.filter((body) => body.includes('getLogs')).length, first);
  t.true(service.log().split('\n').length - lines < 3);
  t.false(service.log().toLowerCase().includes(wallet.address.toLowerCase()));
});

import test from 'ava';
import { connectChain, createWallet, signPayment } from '../../kit/chain.ts';
import { AMOUNT, offerOf, present, startPayments } from './harness.ts';
import { startNodeBefore } from './node-before.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
/** What the node is asked. */
const asked: string[] = [];
const searches = () => asked.filter((method) => method === 'eth_getLogs').length;
const front = await startNodeBefore(sandbox.rpcUrl, ({ method }) => {
  asked.push(method);
  return undefined;
});
const service = await startPayments({
  env: {
    DATABASE_URL: sandbox.databaseUrl,
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: front.url,
    X402_PAY_TO: createWallet().address,
    X402_NETWORK: 'eip155:31337',
    X402_FINALITY_INTERVAL_MS: '600000',
  },
});
const offer = offerOf(await service.terms());
test.after.always(async () => {
  await service.stop();
  await front.stop();
  await sandbox.stop();
});

test('a used authorization of anybody is searched on the chain once, and its payer is not in the log', async (t) => {
  const wallet = createWallet();
  await chain.mint(wallet.address, 10n * BigInt(AMOUNT));
  const payment = await signPayment(wallet, { ...offer, payTo: createWallet().address });
  await chain.submit(payment);
  const presented = { ...present({ ...payment, accepted: offer }), offerSecretHash: Buffer.alloc(0) };
  await service.begin(presented);
  const first = searches();
  t.true(first > 0);
  const lines = service.log().split('\n').length;
  for (let count = 0; count < 20; count += 1) await service.begin(presented);
  t.is(searches(), first);
  t.true(service.log().split('\n').length - lines < 3);
  t.false(service.log().toLowerCase().includes(wallet.address.toLowerCase()));
});

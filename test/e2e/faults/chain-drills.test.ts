import test from 'ava';
import { type Hex, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isConfirmed, openBuyers, PRICE } from '../../kit/buyers.ts';
import { connectChain, createWallet } from '../../kit/chain.ts';
import { CONVERT, codeOf, headerOf, post, requirementsOf, settlementOf } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { BODY, startFaultyStack } from './faulty-stack.ts';
import { query } from './quiet.ts';

/** Anvil's third development account. */
const SIGNER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const SIGNER = privateKeyToAccount(SIGNER_KEY).address;
const FUNDS = PRICE * 10n;
const CONFIRMATIONS = 8;
const REORGANIZED_BLOCKS = 5;

/** Starts the sandbox, which deploys the token, and then restarts what knows of money with a signer of the operator. */
const stack = await startFaultyStack();
const { accepts } = requirementsOf(await post(stack.url + CONVERT, BODY));
const chain = connectChain(stack.chainUrl, accepts[0].asset);
const ownSigner = {
  SANDBOX_RPC_URL: '',
  SANDBOX_STATE_FILE: '',
  X402_SIGNER_KEY: SIGNER_KEY,
  X402_RPC_URL: stack.chainUrl,
  X402_PAY_TO: createWallet().address,
  X402_NETWORK: 'eip155:31337',
  X402_CONFIRMATIONS: String(CONFIRMATIONS),
  X402_FINALITY_INTERVAL_MS: '100',
};
await Promise.all([stack.kill('payments'), stack.kill('gateway0')]);
await Promise.all([
  stack.start('payments', ownSigner),
  stack.start('gateway0', {
    PUBLIC_URLS: stack.url,
    CONTACT: 'mailto:support@example.com',
  }),
]);
test.after.always(() => stack.stop());

/** A payment of a new payer, whose funds no reorganization of this test removes. */
async function preparePayment() {
  const wallet = createWallet();
  await chain.mint(wallet.address, FUNDS);
  await chain.node.mine({ blocks: REORGANIZED_BLOCKS });
  const { payer, send } = await (await openBuyers(stack.url).exact({ wallet })).sign(CONVERT, BODY);
  return { payer, send, paid: async () => FUNDS - (await chain.balanceOf(payer)) };
}

test.serial('a settlement that a reorganization of 5 blocks removes is paid again, once', async (t) => {
  const { payer, send, paid } = await preparePayment();
  const answer = await send();
  t.is(answer.status, 200);
  await chain.node.mine({ blocks: REORGANIZED_BLOCKS - 1 });
  await chain.reorganize(REORGANIZED_BLOCKS);
  t.is(await paid(), 0n);
  const startMs = performance.now();
  await stack.kill('payments');
  await stack.start('payments', ownSigner);
  await until(async () => (await paid()) > 0n);
  t.log(`paid again ${Math.round(performance.now() - startMs)} ms after the reorganization and SIGKILL`);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  await until(async () => {
    const rows = await query(
      stack,
      `SELECT FROM ledger.payment_claim WHERE payer = '${payer.toLowerCase()}' AND finalized_at IS NOT NULL`,
    );
    return rows.length === 1;
  });
  t.is(await paid(), PRICE);
  const again = await until(async () => {
    const repeated = await send();
    return repeated.status === 200 ? repeated : undefined;
  });
  t.deepEqual(settlementOf(again), settlementOf(answer));
  t.is(again.text, answer.text);
  t.is(headerOf(again, 'payment-response'), headerOf(answer, 'payment-response'));
  t.is(await paid(), PRICE);
});

test.serial('a signer without gas refuses payments before they are executed, and trials go on', async (t) => {
  const { send, paid } = await preparePayment();
  // Less than the reserve, and enough for what is executed before the service notices.
  await chain.node.setBalance({ address: SIGNER, value: parseEther('0.001') });
  await until(async () => {
    const { paid: other, ...waiting } = await preparePayment();
    const answer = await waiting.send();
    if (answer.status === 200) return undefined;
    t.deepEqual([answer.status, codeOf(answer)], [503, 'PAYMENT_UNAVAILABLE']);
    t.is(await other(), 0n);
    return true;
  });
  const ready = await fetch(`${stack.url}/health/ready`);
  t.regex(await ready.text(), /"payments":"(?!ok)/);
  t.true(isConfirmed(await openBuyers(stack.url).trial().call(CONVERT, BODY)));

  const fundedMs = performance.now();
  await chain.node.setBalance({ address: SIGNER, value: parseEther('10') });
  const answer = await until(async () => {
    const found = await send();
    return found.status === 200 ? found : undefined;
  });
  t.log(`paid ${Math.round(performance.now() - fundedMs)} ms after the signer was funded`);
  t.true(settlementOf(answer).success);
  t.is(await paid(), PRICE);
});

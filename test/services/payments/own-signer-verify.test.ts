import { once } from 'node:events';
import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createCalls } from '../../../services/payments/chain/calls.ts';
import { createRpc } from '../../../services/payments/chain/nodes.ts';
import { FacilitatorError } from '../../../services/payments/facilitator/facilitator.ts';
import { createOwnSigner } from '../../../services/payments/facilitator/own-signer.ts';
import { createPaymentReader } from '../../../services/payments/payment/payment.ts';
import { createTerms, offerOf, SANDBOX_NETWORK } from '../../../services/payments/payment/terms.ts';
import { createTransactionSender } from '../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { createWallet, signPayment, type WireAuthorization } from '../../kit/chain.ts';
import { portOf } from '../../kit/port-of.ts';
import { createMemoryTransactions } from './memory-transactions.ts';
import { startGasBudgets } from './test-gas-budget.ts';

const budgets = await startGasBudgets();
test.after.always(() => budgets.stop());
const terms = createTerms({ network: SANDBOX_NETWORK, payTo: createWallet().address, sandbox: true });
const SIGNER_KEY = `0x${'1'.repeat(64)}` as const;

/** A signer whose node answers every request with an error. */
async function startFailing(t: ExecutionContext) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const rpc = createRpc(`http://127.0.0.1:${portOf(server)}`);
  const now = Date.now;
  const sender = createTransactionSender({
    rpc,
    chainId: terms.chainId,
    privateKey: SIGNER_KEY,
    maxFeePerGas: 1n,
    replaceAfterMs: 1000,
    lock: (_, work) => work(),
    transactions: createMemoryTransactions().transactions,
    now,
  });
  const signer = createOwnSigner({
    rpc,
    calls: createCalls(rpc),
    terms,
    sender,
    gasBudget: budgets.open(),
    logger: createLogger({ name: 'test', level: 'silent' }),
    versionsOf: async (transaction) => [transaction],
    settleTimeoutMs: 1000,
    now,
  });
  return { signer, requests: () => requests };
}

async function paymentWith(changes: Partial<WireAuthorization>) {
  const signed = await signPayment(createWallet(), offerOf(terms, '3000'), changes);
  const read = createPaymentReader(terms)(JSON.stringify(signed), '3000');
  if (!read.ok) throw new Error(read.reason);
  return read.payment;
}

test('a payment outside of its time is refused without the node', async (t) => {
  const { signer, requests } = await startFailing(t);
  const expired = await paymentWith({ validBefore: '1' });
  const early = await paymentWith({ validAfter: `${Math.floor(Date.now() / 1000) + 600}`, validBefore: '9999999999' });
  const reason = (name: string) => `invalid_exact_evm_payload_authorization_${name}`;
  t.deepEqual(await signer.verify(expired), { ok: false, reason: reason('valid_before') });
  t.deepEqual(await signer.verify(early), { ok: false, reason: reason('valid_after') });
  t.deepEqual(await signer.settle(expired, async () => {}), { kind: 'refused', reason: reason('valid_before') });
  t.is(requests(), 0);
});

test('a node that fails leaves a payment unverified and unsent', async (t) => {
  const { signer, requests } = await startFailing(t);
  const payment = await paymentWith({});
  await t.throwsAsync(signer.verify(payment), { instanceOf: FacilitatorError });
  t.deepEqual(await signer.settle(payment, async () => t.fail('nothing is sent')), { kind: 'unsent' });
  t.true(requests() > 0);
});

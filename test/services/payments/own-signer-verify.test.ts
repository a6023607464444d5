import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'ava';
import { createRpc } from '../../../services/payments/chain/rpc.ts';
import { createOwnSigner } from '../../../services/payments/facilitator/own-signer.ts';
import { createPaymentReader } from '../../../services/payments/payment/payment.ts';
import { createTerms, offerOf, SANDBOX_NETWORK } from '../../../services/payments/payment/terms.ts';
import { createTransactionSender } from '../../../services/payments/signer/transaction-sender.ts';
import { createWallet, signPayment } from '../../helpers/chain.ts';
import { portOf } from '../../helpers/port-of.ts';

const terms = createTerms({ network: SANDBOX_NETWORK, payTo: createWallet().address, sandbox: true });
const SIGNER_KEY = `0x${'1'.repeat(64)}` as const;

test('a node that fails after a payment was refused does not end the process', async (t) => {
  const server = createServer((_, response) => response.writeHead(500).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const rpc = createRpc(`http://127.0.0.1:${portOf(server)}`);
  const asked: Promise<unknown>[] = [];
  const watched = {
    ...rpc,
    getCode: (args: Parameters<typeof rpc.getCode>[0]) => {
      const answer = rpc.getCode(args);
      asked.push(answer);
      return answer;
    },
  };
  const sender = createTransactionSender({
    rpc,
    chainId: terms.chainId,
    privateKey: SIGNER_KEY,
    maxFeePerGas: 1n,
    replaceAfterMs: 1000,
    lock: (_, work) => work(),
    now: Date.now,
  });
  const signer = createOwnSigner({ rpc: watched, sender, timeoutMs: 1000 });
  const expired = await signPayment(createWallet(), offerOf(terms, '3000'), { validBefore: '1' });
  const read = createPaymentReader(terms)(JSON.stringify(expired), '3000');
  if (!read.ok) return t.fail(read.reason);
  t.like(await signer.verify(read.payment), { ok: false });
  t.is(asked.length, 1);
  // An unhandled rejection fails this file, as it ends the service.
  await Promise.allSettled(asked);
  await new Promise((resolve) => setImmediate(resolve));
});

import test from 'ava';
import { RefusalCode } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createWallet, signPayment } from '../../kit/chain.ts';
import { expectCase, present, refusalOf, someHash } from './harness.ts';
import { useTwoCopies } from './two-copies.ts';

const { first, second, offer, chain, fundedWallet } = await useTwoCopies();

test('the payment identifier proves the holder, like the secret of the offer', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const identifier = someHash();
  const request = present(payment, { paymentIdentifierHash: identifier });
  const { claimId } = expectCase(await first.begin(request), 'execute');
  await first.settle(claimId, JSON.stringify(payment));
  const again = { paymentIdentifierHash: identifier, offerSecretHash: someHash() };
  t.is(expectCase(await second.begin(present(payment, again)), 'replay').claimId, claimId);
});

test('a payment that is signed anew for the same identifier is answered by the first one, and nothing more is charged', async (t) => {
  const wallet = await fundedWallet();
  const paymentIdentifierHash = someHash();
  const identified = async () => present(await signPayment(wallet, offer), { paymentIdentifierHash });
  const payment = await signPayment(wallet, offer);
  const { claimId } = expectCase(await first.begin(present(payment, { paymentIdentifierHash })), 'execute');
  // The first one is in progress: the second waits for it.
  const waiting = second.begin(await identified());
  const { paymentResponseJson } = await first.settle(claimId, JSON.stringify(payment));
  t.like(expectCase(await waiting, 'replay'), { claimId, paymentResponseJson });
  const before = await chain.balanceOf(wallet.address);
  t.like(expectCase(await first.begin(await identified()), 'replay'), { claimId, paymentResponseJson });
  t.is(await chain.balanceOf(wallet.address), before);
});

test('an identifier is refused for another request, and is of its payer alone', async (t) => {
  const wallet = await fundedWallet();
  const paymentIdentifierHash = someHash();
  const identified = async (change = {}) =>
    present(await signPayment(wallet, offer), { paymentIdentifierHash, ...change });
  const { claimId } = expectCase(await first.begin(await identified()), 'execute');
  t.is(
    refusalOf(await second.begin(await identified({ requestFingerprint: someHash() }))),
    RefusalCode.REFUSAL_CODE_REUSED,
  );
  const stranger = await signPayment(await fundedWallet(), offer);
  t.not(expectCase(await second.begin(present(stranger, { paymentIdentifierHash })), 'execute').claimId, claimId);
});

test('an authorization for somebody else does not unlock the answer of an identifier', async (t) => {
  const wallet = await fundedWallet();
  const paymentIdentifierHash = someHash();
  const payment = await signPayment(wallet, offer);
  const { claimId } = expectCase(await first.begin(present(payment, { paymentIdentifierHash })), 'execute');
  await first.settle(claimId, JSON.stringify(payment));
  // Such a signature can be read on the chain.
  const elsewhere = await signPayment(wallet, { ...offer, payTo: createWallet().address });
  for (const requestFingerprint of [undefined, someHash()]) {
    const stolen = present({ ...elsewhere, accepted: payment.accepted }, { paymentIdentifierHash });
    const answer = await second.begin({ ...stolen, ...(requestFingerprint && { requestFingerprint }) });
    t.is(refusalOf(answer), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
  }
});

test('an identifier is free again once its claim is released, for another request too', async (t) => {
  const wallet = await fundedWallet();
  const paymentIdentifierHash = someHash();
  const identified = async () =>
    present(await signPayment(wallet, offer), { paymentIdentifierHash, requestFingerprint: someHash() });
  const { claimId } = expectCase(await first.begin(await identified()), 'execute');
  await first.release(claimId);
  t.not(expectCase(await second.begin(await identified()), 'execute').claimId, claimId);
});

test('of payments for one identifier that come together, one is executed', async (t) => {
  const wallet = await fundedWallet();
  const paymentIdentifierHash = someHash();
  const requests = await Promise.all(
    Array.from({ length: 6 }, async () => present(await signPayment(wallet, offer), { paymentIdentifierHash })),
  );
  const answers = requests.map((request, index) => (index % 2 === 0 ? first : second).begin(request));
  const { claimId } = expectCase(await Promise.any(answers), 'execute');
  await first.release(claimId);
  t.pass();
});

test('the payment identifier proves the holder of a payment whose offer secret is no longer known', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const request = present(payment, { paymentIdentifierHash: someHash() });
  const { claimId } = expectCase(await first.begin(request), 'execute');
  await first.settle(claimId, JSON.stringify(payment));
  const again = { ...request, offerSecretHash: Buffer.alloc(0) };
  t.is(expectCase(await second.begin(again), 'replay').claimId, claimId);
});

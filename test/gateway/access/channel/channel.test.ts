import { status } from '@grpc/grpc-js';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { signVoucher } from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader } from '@x402/fetch';
import test, { type ExecutionContext } from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { createWallet } from '../../../kit/chain.ts';
import { codeOf, headerOf, readAnswer } from '../../../kit/client.ts';
import { newCharge } from '../../../services/ledger/channel-fixture.ts';
import { createLedgerDatabase, newAnswer } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

type Buyer = ReturnType<typeof createBuyer>;

const PREFIX = 'invalid_batch_settlement_evm_';

const reasonOf = (response: Response) =>
  decodePaymentRequiredHeader(headerOf(response, 'payment-required')).error?.replace(PREFIX, '');
const settlementOf = (response: Response) => decodePaymentResponseHeader(headerOf(response, 'payment-response'));

async function errorCodeOf(response: Response): Promise<string | undefined> {
  return codeOf(await readAnswer(response));
}

async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  return { seller, buyer, id: buyer.id };
}

test('the official client deposits with its first call, pays by vouchers, and tops up', async (t) => {
  const { seller, buyer, id } = await open(t);
  const first = settlementOf(await buyer.pay());
  t.like(first, { success: true, amount: String(MIN_DEPOSIT), payer: buyer.wallet.address.toLowerCase() });
  t.regex(first.transaction, /^0x[0-9a-f]{64}$/);
  for (let paid = 2n; paid <= 10n; paid += 1n) {
    const answer: unknown = settlementOf(await buyer.pay());
    t.deepEqual(answer, {
      success: true,
      payer: buyer.wallet.address.toLowerCase(),
      transaction: '',
      network: seller.network,
      amount: '',
      extra: {
        chargedAmount: String(PRICE),
        channelState: {
          channelId: id,
          balance: String(MIN_DEPOSIT),
          totalClaimed: '0',
          withdrawRequestedAt: 0,
          refundNonce: '0',
          chargedCumulativeAmount: String(paid * PRICE),
        },
      },
    });
  }
  t.like(await seller.account(id), { balanceMicroUsd: 0n, chargedMicroUsd: MIN_DEPOSIT });
  const topUp = settlementOf(await buyer.pay());
  t.not(topUp.transaction, '');
  t.like(topUp.extra, { chargedAmount: String(PRICE), channelState: { balance: String(2n * MIN_DEPOSIT) } });
  t.like(await seller.account(id), { fundedMicroUsd: 2n * MIN_DEPOSIT, chargedMicroUsd: 11n * PRICE });
  t.deepEqual(seller.contract.asked, { deposit: 2, read: 0, refund: 0 });
  t.is(seller.executed.length, 11);
});

test('a payment that is sent again gets the same answer, and nothing more is executed or charged', async (t) => {
  const { seller, buyer, id } = await open(t);
  for (const what of ['deposit', 'voucher']) {
    const answer = await buyer.pay();
    const executed = seller.executed.length;
    const again = await buyer.again();
    t.is(again.status, 200, what);
    t.is(await again.text(), await answer.text(), what);
    t.is(again.headers.get('payment-response'), answer.headers.get('payment-response'), what);
    t.is(seller.executed.length, executed, what);
  }
  t.like(await seller.account(id), { chargedMicroUsd: 2n * PRICE, fundedMicroUsd: MIN_DEPOSIT });
});

test('a charge has the voucher that pays it and its answer, so that it can be claimed and given again', async (t) => {
  const { seller, buyer, id } = await open(t);
  for (const cumulativeMicroUsd of [PRICE, 2n * PRICE]) {
    await buyer.pay();
    const { voucher, chargedMicroUsd } = await seller.account(id);
    t.deepEqual(voucher, { cumulativeMicroUsd, signature: buyer.voucherSignature() });
    t.is(chargedMicroUsd, cumulativeMicroUsd);
  }
  const stored = await seller.ledger.query(
    'SELECT access, amount FROM ledger.entry JOIN retained_body ON record_id = id WHERE account = $1',
    [id],
  );
  t.deepEqual(stored, Array(2).fill({ access: 'channel', amount: PRICE }));
});

test('charges that were claimed since the account was read are no loss', async (t) => {
  const { seller, buyer, id } = await open(t);
  seller.contract.fault.deposit = async () => {
    seller.contract.fault.deposit = undefined;
    // Other calls of the channel, through another server, of which the first is claimed at once.
    await seller.ledger.show(id, { balanceMicroUsd: 2n * PRICE });
    for (const cumulativeMicroUsd of [PRICE, 2n * PRICE]) {
      const { signature } = await signVoucher(buyer.wallet, id, String(cumulativeMicroUsd), seller.network);
      const charge = newCharge({ channelId: id, amountMicroUsd: PRICE, cumulativeMicroUsd, signature });
      await seller.ledger.charge(charge);
      await seller.ledger.post(newAnswer(charge));
    }
    const channel = seller.contract.change(id, { balance: String(MIN_DEPOSIT), totalClaimed: String(PRICE) });
    return { outcome: { $case: 'deposited', value: { transaction: '0x1', amount: String(MIN_DEPOSIT), channel } } };
  };
  // The client reads the chain, and then it is corrected.
  const response = await buyer.pay();
  t.is(response.status, 402);
  t.is(reasonOf(response), 'cumulative_amount_mismatch');
  t.is((await buyer.pay()).status, 200);
  t.like(await seller.account(id), { fundedMicroUsd: MIN_DEPOSIT, chargedMicroUsd: 3n * PRICE });
});

test('the stored answer is only for the holder of the offer, and only for its request', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  await buyer.pay();
  const payment = buyer.sent();
  const { offerSecret: _, ...extra } = payment.accepted.extra;
  for (const response of [
    await send(seller, { ...payment, accepted: { ...payment.accepted, extra } }),
    await send(seller, { ...payment, accepted: seller.offer() }),
    await send(seller, payment, { body: { html: '<p>another request</p>' } }),
  ]) {
    t.is(response.status, 402);
    t.is(reasonOf(response), 'cumulative_amount_mismatch');
    t.is(response.headers.get('payment-response'), null);
  }
  t.is((await send(seller, payment)).status, 200);
  t.is(seller.executed.length, 2);
});

test('a payment identifier shows who sent a voucher, also with a new offer', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  const extensions = { 'payment-identifier': { info: { required: false, id: 'order_0123456789' } } };
  const payment = { ...(await buyer.sign()), extensions };
  const first = await send(seller, payment);
  const second = await send(seller, { ...payment, accepted: seller.offer() });
  t.deepEqual([first.status, second.status], [200, 200]);
  t.is(await second.text(), await first.text());
  t.is(seller.executed.length, 2);
});

test('nothing is deposited for an identifier of another request, and a repeated call has its deposit', async (t) => {
  const { seller, buyer, id } = await open(t);
  const extensions = { 'payment-identifier': { info: { required: false, id: 'order_0123456789' } } };
  const other = createBuyer(seller, { wallet: buyer.wallet });
  const named = async (one: Buyer) => ({ ...(await one.sign()), extensions });
  const first = await send(seller, await named(buyer));
  // As a client does that believes that its channel is empty.
  await buyer.storage.set(id, { balance: String(PRICE), chargedCumulativeAmount: String(PRICE) });
  for (const one of [buyer, other]) {
    const refused = await send(seller, await named(one), { body: { html: '<p>another request</p>' } });
    t.is(await errorCodeOf(refused), 'PAYMENT_REUSED');
    t.is(refused.headers.get('payment-response'), null);
  }
  t.is(seller.contract.asked.deposit, 1);
  const repeated = await send(seller, await named(other));
  t.is(await repeated.text(), await first.text());
  t.like(settlementOf(repeated), { amount: String(MIN_DEPOSIT), extra: { chargedAmount: '0' } });
});

test('a deposit with an identifier waits for a slow node', async (t) => {
  const { seller, buyer } = await open(t);
  seller.contract.fault.readMs = 5000;
  const extensions = { 'payment-identifier': { info: { required: false, id: 'order_0123456789' } } };
  t.is((await send(seller, { ...(await buyer.sign()), extensions })).status, 200);
  t.is(seller.contract.asked.read, 1);
});

test('a voucher that is sent twice at once is executed once', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  seller.course.execute = () => {
    begun.resolve();
    return held.promise;
  };
  const first = buyer.pay();
  await begun.promise;
  const second = await buyer.again();
  t.is(second.status, 402);
  t.is(reasonOf(second), 'channel_busy');
  held.resolve();
  t.is((await first).status, 200);
  t.is(seller.executed.length, 2);
});

test('a failed call costs nothing, and its voucher can be used again', async (t) => {
  const { seller, buyer, id } = await open(t);
  await buyer.pay();
  seller.course.execute = () => Promise.reject(new AppError('UPSTREAM_FAILURE', 'no'));
  const failed = await buyer.pay();
  t.is(failed.status, 502);
  t.is(failed.headers.get('payment-response'), null);
  t.like(await seller.account(id), { reservedMicroUsd: 0n, chargedMicroUsd: PRICE });
  seller.course.execute = undefined;
  t.is((await buyer.again()).status, 200);
  seller.course.post = () => Promise.reject(new LedgerUnavailableError('refused', 'the disk is full'));
  const lost = await buyer.pay();
  t.is(await errorCodeOf(lost), 'PAYMENT_UNAVAILABLE');
  t.like(await seller.account(id), { reservedMicroUsd: 0n, chargedMicroUsd: 2n * PRICE });
});

test('failures count for the key that signed, and not for a payer that anyone can name', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  const stranger = createBuyer(seller, { wallet: buyer.wallet, voucherSigner: createWallet() });
  const { balance } = seller.contract.change(stranger.id, { balance: String(MIN_DEPOSIT) });
  await seller.ledger.show(stranger.id, { balanceMicroUsd: MIN_DEPOSIT });
  await stranger.storage.set(stranger.id, { balance, chargedCumulativeAmount: '0' });
  seller.course.execute = () => Promise.reject(new AppError('DOCUMENT_TOO_SLOW', 'no'));
  for (let count = 0; count < 5; count += 1) t.is(await errorCodeOf(await stranger.pay()), 'DOCUMENT_TOO_SLOW');
  t.is(await errorCodeOf(await stranger.pay()), 'RATE_LIMITED');
  seller.course.execute = undefined;
  t.is((await buyer.pay()).status, 200);
});

test('a payer whose own requests fail too often has to wait', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  seller.course.execute = () => Promise.reject(new AppError('DOCUMENT_TOO_SLOW', 'no'));
  for (let count = 0; count < 5; count += 1) t.is(await errorCodeOf(await buyer.pay()), 'DOCUMENT_TOO_SLOW');
  const limited = await buyer.pay();
  t.is(await errorCodeOf(limited), 'RATE_LIMITED');
  t.is(limited.headers.get('retry-after'), '3600');
  seller.clock.monotonicMs += 3_600_000;
  seller.course.execute = undefined;
  t.is((await buyer.pay()).status, 200);
});

test('a deposit that is not confirmed in time is followed by the same request', async (t) => {
  const { seller, buyer, id } = await open(t);
  for (const fail of [
    async () => ({ outcome: { $case: 'pending' as const, value: true } }),
    () => Promise.reject(CallError.ofStatus(status.DEADLINE_EXCEEDED, 'too late')),
    // A service that died after it had sent the deposit.
    () => Promise.reject(CallError.ofStatus(status.UNAVAILABLE, 'away')),
  ]) {
    seller.contract.fault.deposit = fail;
    const pending = await (seller.executed.length === 0 ? buyer.pay() : buyer.again());
    t.is(await errorCodeOf(pending), 'SETTLEMENT_PENDING');
    t.is(pending.headers.get('retry-after'), '5');
  }
  const notSent = { code: 'PAYMENT_UNAVAILABLE', message: 'nothing was sent' };
  seller.contract.fault.deposit = () => Promise.reject(CallError.ofCode(notSent));
  t.is(await errorCodeOf(await buyer.again()), 'PAYMENT_UNAVAILABLE');
  t.like(await seller.account(id), { fundedMicroUsd: 0n });
  t.is(seller.executed.length, 0);
  seller.contract.fault.deposit = undefined;
  t.is((await buyer.again()).status, 200);
});

test('a refused deposit is answered with the reason', async (t) => {
  const { seller, buyer } = await open(t);
  const value = `${PREFIX}deposit_below_min_deposit`;
  seller.contract.fault.deposit = async () => ({ outcome: { $case: 'refused', value } });
  const response = await buyer.pay();
  t.is(response.status, 402);
  t.is(reasonOf(response), 'deposit_below_min_deposit');
  t.is(seller.executed.length, 0);
});

test('a deposit is refused, and not called pending, once channels are not offered any more', async (t) => {
  const { seller, buyer } = await open(t);
  const refusal = { code: 'CHANNELS_NOT_OFFERED', message: 'a test' };
  seller.contract.fault.deposit = () => Promise.reject(CallError.ofCode(refusal));
  const response = await buyer.pay();
  t.is(response.status, 402);
  t.is(reasonOf(response), 'scheme');
});

test('nothing is deposited for a voucher that could not pay', async (t) => {
  const { seller, buyer, id } = await open(t);
  await buyer.pay();
  // As a client does that neither remembers its channel nor reads the chain.
  await buyer.storage.set(id, { balance: '0', chargedCumulativeAmount: '0' });
  const response = await buyer.pay();
  t.is(response.status, 200);
  t.is(seller.contract.asked.deposit, 1);
  t.like(await seller.account(id), { chargedMicroUsd: 2n * PRICE });
});

test('credit that the ledger does not know is read from the contract once', async (t) => {
  const { seller, buyer, id } = await open(t);
  seller.contract.change(id, { balance: String(MIN_DEPOSIT) });
  t.is(settlementOf(await buyer.pay()).transaction, '');
  t.is(seller.contract.asked.read, 1);
  t.like(await seller.account(id), { fundedMicroUsd: MIN_DEPOSIT, chargedMicroUsd: PRICE });
});

test('a withdrawal that was started is no credit', async (t) => {
  const { seller, buyer, id } = await open(t);
  const withdrawAmount = String(MIN_DEPOSIT - PRICE);
  seller.contract.change(id, { balance: String(MIN_DEPOSIT), withdrawAmount, withdrawRequestedAtS: 1_900_000_000n });
  const { extra } = settlementOf(await buyer.pay());
  t.like(extra, { channelState: { withdrawRequestedAt: 1_900_000_000 } });
  const second = await buyer.pay();
  t.is(reasonOf(second), 'cumulative_exceeds_balance');
  t.like(await seller.account(id), { fundedMicroUsd: PRICE, chargedMicroUsd: PRICE });
});

test('vouchers of channels that do not exist cost a bounded number of reads', async (t) => {
  const { seller, buyer, id } = await open(t);
  const sendFrom = async (from: string, one: Buyer) => {
    await one.storage.set(one.id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: '0' });
    return send(seller, await one.sign(), { from });
  };
  // One channel from many clients.
  for (let count = 0; count < 4; count += 1) {
    t.is(reasonOf(await sendFrom(`192.0.2.${count}`, buyer)), 'channel_not_found');
  }
  t.is(seller.contract.asked.read, 1);
  seller.clock.monotonicMs += 10_000;
  t.is(reasonOf(await sendFrom('192.0.2.0', buyer)), 'channel_not_found');
  t.is(seller.contract.asked.read, 2);
  // Many channels from one client.
  for (let count = 0; count < 15; count += 1) {
    t.is(reasonOf(await sendFrom('198.51.100.1', createBuyer(seller))), 'channel_not_found');
  }
  t.is(seller.contract.asked.read, 12);
  t.like(await seller.account(id), { fundedMicroUsd: 0n });
});

test('a channel whose charges are missing is closed until a voucher shows them, and nobody is corrected', async (t) => {
  const { seller, buyer, id } = await open(t);
  const claimed = seller.contract.change(id, { balance: String(MIN_DEPOSIT), totalClaimed: String(PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  // Without a balance, the client signs a deposit too.
  for (const [balance, chargedCumulativeAmount] of [
    ['0', '1'],
    [claimed.balance, '0'],
  ] as const) {
    await buyer.storage.set(id, { balance, chargedCumulativeAmount });
    const response = await send(seller, await buyer.sign());
    t.is(reasonOf(response), 'cumulative_below_claimed');
    const { accepts } = decodePaymentRequiredHeader(headerOf(response, 'payment-required'));
    t.false(accepts.some(({ extra }) => 'channelState' in extra));
  }
  t.deepEqual([seller.executed.length, seller.contract.asked.deposit], [0, 0]);
  await buyer.storage.set(id, { balance: claimed.balance, chargedCumulativeAmount: String(PRICE) });
  t.is((await send(seller, await buyer.sign())).status, 200);
  t.like(await seller.account(id), { chargedMicroUsd: 2n * PRICE });
});

test('a voucher that shows missing charges pays after its deposit', async (t) => {
  const { seller, buyer, id } = await open(t);
  seller.contract.change(id, { balance: String(MIN_DEPOSIT), totalClaimed: String(PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  await buyer.storage.set(id, { balance: '0', chargedCumulativeAmount: String(PRICE) });
  t.is((await send(seller, await buyer.sign())).status, 200);
  t.is(seller.contract.asked.deposit, 1);
  t.like(await seller.account(id), {
    chargedMicroUsd: 2n * PRICE,
    reservedMicroUsd: 0n,
    fundedMicroUsd: 2n * MIN_DEPOSIT,
  });
});

test('an answer shows what is stored of the contract, which is not asked', async (t) => {
  const { seller, buyer, id } = await open(t);
  await buyer.storage.set(id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: '0' });
  const shown = { balanceMicroUsd: MIN_DEPOSIT, refundNonce: 3n };
  await seller.ledger.show(id, { ...shown, withdrawMicroUsd: 1n, withdrawRequestedAtS: 1_900_000_000n });
  const contract = { balance: String(MIN_DEPOSIT), withdrawRequestedAt: 1_900_000_000, refundNonce: '3' };
  const stateAfter = (calls: bigint, totalClaimed = '0') => ({
    channelState: { channelId: id, ...contract, totalClaimed, chargedCumulativeAmount: String(calls * PRICE) },
  });
  t.like(settlementOf(await buyer.pay()).extra, stateAfter(1n));
  const claimed = { ...shown, claimedMicroUsd: PRICE };
  await seller.ledger.show(id, { ...claimed, withdrawMicroUsd: 1n, withdrawRequestedAtS: 1_900_000_000n });
  t.like(settlementOf(await buyer.pay()).extra, stateAfter(2n, String(PRICE)));
  t.is(seller.contract.asked.read, 0);
});

test('without the ledger, nothing is executed', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  await seller.stopLedger();
  t.is(await errorCodeOf(await buyer.pay()), 'PAYMENT_UNAVAILABLE');
  t.is(seller.executed.length, 1);
});

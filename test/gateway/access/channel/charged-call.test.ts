import { decodePaymentResponseHeader } from '@x402/fetch';
import test from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { overloaded } from '../../../../gateway/http/overload.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { codeOf, headerOf, readAnswer } from '../../../kit/client.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase, newAnswer } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, type Seller } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const failWith = (code: 'SERVICE_UNAVAILABLE' | 'UPSTREAM_FAILURE') => () => Promise.reject(new AppError(code, 'no'));

/** How a call can fail after its deposit. */
const FAILURES: Readonly<Record<string, (seller: Seller) => void>> = {
  'there is no room left': ({ course }) => {
    course.admit = () => Promise.reject(overloaded());
  },
  'the reservation is refused': ({ course }) => {
    course.charge = () => Promise.reject(new LedgerUnavailableError('refused', 'a test'));
  },
  'the operation fails': ({ course }) => {
    course.execute = failWith('SERVICE_UNAVAILABLE');
  },
  'the operation fails, and the ledger does not tell what became of its charge': (seller) => {
    seller.course.execute = async () => {
      seller.course.void = async (work) => {
        await work();
        throw new LedgerUnavailableError('uncertain', 'a test');
      };
      seller.hurry();
      await failWith('UPSTREAM_FAILURE')();
    };
  },
  'the operation fails, and was charged all the same': ({ course, ledger }) => {
    course.execute = async () => {
      const [open] = await ledger.overdue({ graceMs: -3_600_000, limit: 1, of: 'calls' });
      await ledger.post(newAnswer(defined(open)));
      await failWith('UPSTREAM_FAILURE')();
    };
  },
  'the charge is uncertain': (seller) => {
    seller.course.post = async () => {
      seller.hurry();
      throw new LedgerUnavailableError('uncertain', 'a test');
    };
  },
};

for (const [what, fail] of Object.entries(FAILURES)) {
  test(`a client learns of its deposit, and nothing of charges, if ${what}`, async (t) => {
    const seller = await openSeller(t, database);
    const buyer = createBuyer(seller);
    fail(seller);
    const failed = await buyer.pay();
    t.true(failed.status >= 500);
    const { amount, transaction, extra } = decodePaymentResponseHeader(headerOf(failed, 'payment-response'));
    t.is(amount, String(MIN_DEPOSIT));
    t.regex(transaction, /^0x/);
    const contract = { balance: String(MIN_DEPOSIT), totalClaimed: '0', withdrawRequestedAt: 0, refundNonce: '0' };
    t.deepEqual(extra, { channelState: { channelId: buyer.id, ...contract } });
    for (const method of ['admit', 'charge', 'execute', 'post', 'void'] as const) seller.course[method] = undefined;
    await until(async () => (await seller.account(buyer.id)).reservedMicroUsd === 0n);
    t.is((await buyer.pay()).status, 200);
    t.is(seller.contract.asked.deposit, 1);
  });
}

test('a client learns of its deposit also if the stored answer of its call cannot be read', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  const { transaction } = decodePaymentResponseHeader(headerOf(await buyer.pay(), 'payment-response'));
  seller.course.getRetained = () => Promise.reject(new Error('a test'));
  const again = await buyer.again();
  t.is(decodePaymentResponseHeader(headerOf(again, 'payment-response')).transaction, transaction);
  t.is(codeOf(await readAnswer(again)), 'PAYMENT_UNAVAILABLE');
  t.like(await seller.account(buyer.id), { chargedMicroUsd: PRICE });
});

test('no deposit is made while there is no room for its call', async (t) => {
  const seller = await openSeller(t, database);
  seller.course.isFull = true;
  t.is(codeOf(await readAnswer(await createBuyer(seller).pay())), 'OVERLOADED');
  t.is(seller.contract.asked.deposit, 0);
});

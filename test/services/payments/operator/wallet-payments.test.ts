import test from 'ava';
import { concatHex, type Hex } from 'viem';
import { RefusalCode, SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { type PaymentPayload, signPayment } from '../../../kit/chain.ts';
import { AMOUNT, expectCase, present, refusalOf, someHash } from '../harness.ts';
import { startOwnPayee } from '../own-payee.ts';
import { createAccount, WALLETS } from '../wallet-accounts.ts';

const stack = await startOwnPayee({ X402_CONFIRMATIONS: '1' });
const { chain, offer } = stack;
test.after.always(() => stack.stop());

const { REFUSAL_CODE_NOT_ACCEPTED, REFUSAL_CODE_REUSED } = RefusalCode;
const setCode = (address: Hex, bytecode: Hex) => chain.node.setCode({ address, bytecode });
const withSignature = (payment: PaymentPayload, signature: Hex): PaymentPayload => ({
  ...payment,
  payload: { ...payment.payload, signature },
});

for (const kind of WALLETS) {
  test.serial(`${kind.name} pays once, and only its own signature unlocks the answer`, async (t) => {
    const service = stack.service();
    const wallet = await createAccount(kind, setCode);
    await chain.mint(wallet.address, 2n * BigInt(AMOUNT));
    const named = { paymentIdentifierHash: someHash() };
    const payment = await signPayment(wallet, offer);
    const shown = present(payment, named);
    const { claimId } = expectCase(await service.begin(shown), 'execute');
    const settled = await service.settle(claimId);
    t.is(settled.outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
    t.is(await chain.balanceOf(wallet.address), BigInt(AMOUNT));
    t.is(expectCase(await service.begin(shown), 'replay').claimId, claimId);

    // Its code accepts this one too. The nonce of the authorization is the same, and the holder of its secret shows it.
    const another = withSignature(payment, concatHex([payment.payload.signature, '0x00']));
    const { offerSecretHash } = shown;
    t.is(refusalOf(await service.begin(present(another, { ...named, offerSecretHash }))), REFUSAL_CODE_REUSED);
    // Whoever guesses the identifier makes up a new authorization of the wallet.
    const stolen = withSignature(await signPayment(wallet, offer), payment.payload.signature);
    t.is(refusalOf(await service.begin(present(stolen, named))), REFUSAL_CODE_NOT_ACCEPTED);
    const own = await signPayment(wallet, offer);
    t.is(expectCase(await service.begin(present(own, named)), 'replay').claimId, claimId);
  });
}

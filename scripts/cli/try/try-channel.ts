import { x402Client, x402HTTPClient } from '@x402/core/client';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { Type } from 'typebox';
import { createPublicClient, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { REFUND_PATH } from '../../../gateway/access/offer/refund-offer.ts';
import { createReader } from '../../launch/parse/json-reader.ts';
import { CommandError } from '../terminal/command.ts';
import { fromBase64 } from './offers.ts';
import { sayStep, shorten } from './steps.ts';

const CALLS = 3;

const readPayload = createReader(
  Type.Object({
    voucher: Type.Object({ channelId: Type.String(), maxClaimableAmount: Type.String(), signature: Type.String() }),
    deposit: Type.Optional(Type.Object({ amount: Type.String() })),
  }),
  'the payment of the x402 client',
);
const readSettled = createReader(
  Type.Object({ transaction: Type.String(), extra: Type.Object({ chargedAmount: Type.String() }) }),
  'PAYMENT-RESPONSE',
);

export interface TriedChannel {
  readonly origin: string;
  /** A node of the network. Undefined: that of the sandbox. */
  readonly nodeUrl: string | undefined;
  readonly wallet: PrivateKeyAccount;
  /** The 402 with the price. */
  readonly priced: Response;
  /** Sends the request of the operation. */
  readonly send: (headers: Readonly<Record<string, string>>) => Promise<Response>;
}

/**
 * Pays some calls through a channel, with the client of the x402 packages, and gets the rest of the deposit back.
 * @returns the answer of the last call
 * @throws {CommandError} if the server refuses a step
 */
export async function tryChannel({ origin, nodeUrl, wallet, priced, send }: TriedChannel): Promise<Response> {
  const node = createPublicClient({ transport: http(nodeUrl ?? `${origin}/sandbox/rpc`) });
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(wallet, node));
  const client = new x402Client().register('eip155:*', scheme).setSpendControls({ allowedAssets: true });
  const messages = new x402HTTPClient(client);
  const required = messages.getPaymentRequiredResponse((name) => priced.headers.get(name));
  if (!required.accepts.some((offer) => offer.scheme === scheme.scheme)) {
    throw new CommandError('this server offers no channels');
  }
  for (let call = 1; ; call += 1) {
    const payment = await client.createPaymentPayload(required);
    saySigned(readPayload(payment.payload));
    const answer = await send(messages.encodePaymentSignatureHeader(payment));
    await messages.processPaymentResult(payment, (name) => answer.headers.get(name), answer.status);
    if (!answer.ok) return answer;
    const { transaction, extra } = readSettled(fromBase64(String(answer.headers.get('payment-response'))));
    sayStep(`The same request, call ${call}: ${answer.status}`, {
      charged: `${extra.chargedAmount} micro-USD`,
      ...(transaction === '' ? {} : { 'deposited in': transaction }),
    });
    if (call === CALLS) {
      const { transaction: refund, amount } = await scheme.refund(origin + REFUND_PATH);
      sayStep(`GET ${REFUND_PATH}: the rest of the deposit`, { returned: `${amount} micro-USD`, in: refund });
      return answer;
    }
  }
}

function saySigned({ voucher, deposit }: ReturnType<typeof readPayload>): void {
  sayStep(deposit === undefined ? 'Signed a voucher' : 'Signed a deposit and the first voucher', {
    channel: shorten(voucher.channelId),
    ...(deposit && { deposit: `${deposit.amount} micro-USD` }),
    'for all calls so far': `${voucher.maxClaimableAmount} micro-USD`,
    signature: shorten(voucher.signature),
  });
}

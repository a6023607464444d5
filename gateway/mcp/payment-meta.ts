import { readObject } from './tool.ts';

/** The member of a result that has an x402 `SettleResponse` (x402 version 2, MCP transport). */
const PAYMENT_RESPONSE = 'x402/payment-response';

/** The payment response of a result, if there is one. Its text is empty if its claim was settled long ago and kept none. */
export function toPaymentMeta(paymentResponseJson: string | undefined): Readonly<Record<string, object>> {
  if (paymentResponseJson === undefined) return {};
  return { [PAYMENT_RESPONSE]: paymentResponseJson === '' ? {} : readObject(paymentResponseJson) };
}

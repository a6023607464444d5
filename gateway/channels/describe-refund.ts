import { Type } from 'typebox';
import { type DescribedFailure, REQUEST_ID, RETRY_AFTER, TRANSPORT_FAILURES } from '../errors/transport-failures.ts';

const Acknowledged = Type.Object({ message: Type.String(), channelId: Type.String() });
const EXAMPLE = {
  message: 'Refund acknowledged',
  channelId: '0x5d1f3e1b7c9a24680f13579bdf02468ace13579bdf02468ace13579bdf024681',
};
const RETRYABLE = { ...REQUEST_ID, ...RETRY_AFTER };

const FAILURES: Readonly<Record<number, DescribedFailure>> = {
  ...TRANSPORT_FAILURES,
  400: { description: 'Malformed payment' },
  404: { description: 'Payment channels are not offered here' },
  413: { description: 'The body is larger than 8 MiB' },
  415: { description: 'The body is not application/json' },
  429: {
    description: 'Too many unsigned or failed requests, or too many refunds of this channel within an hour',
    headers: RETRYABLE,
  },
  503: { description: 'Not available now, or the refund is not confirmed yet', headers: RETRYABLE },
};

/** The route of refunds in the OpenAPI document. */
export function describeRefund(method: 'GET' | 'POST'): object {
  return {
    operationId: method === 'GET' ? 'channels_refund' : 'channels_refund_post',
    tags: ['channels'],
    summary: 'Return the rest of a payment channel to its payer',
    description:
      'Without a payment, the answer is 402 with the offer of channels. With a payment of the scheme batch-settlement and the type refund, the charges of the channel are claimed and the amount is returned on the chain; without an amount, all that is left. GET and POST do the same. The body is ignored.',
    // Nothing is paid: the channel returns an amount to its payer.
    security: [],
    headers: Type.Object({
      'PAYMENT-SIGNATURE': Type.Optional(
        Type.String({ description: 'Base64 of an x402 version 2 payment of the type refund' }),
      ),
    }),
    response: {
      200: {
        description: 'The amount was returned',
        headers: {
          ...REQUEST_ID,
          'payment-response': Type.String({ description: 'Base64 of the refund: its transaction and amount' }),
        },
        content: { 'application/json': { schema: { ...Acknowledged, examples: [EXAMPLE] } } },
      },
      402: {
        description: 'The offer of channels, and why a refund was refused',
        headers: {
          ...REQUEST_ID,
          'payment-required': Type.String({ description: 'Base64 of the x402 payment requirements' }),
        },
        content: { 'application/json': { schema: Type.Object({}, { additionalProperties: false }) } },
      },
      ...Object.fromEntries(
        Object.entries(FAILURES).map(([status, { description, headers = REQUEST_ID }]) => [
          status,
          { ...Type.Ref('Error'), description, headers },
        ]),
      ),
    },
  };
}

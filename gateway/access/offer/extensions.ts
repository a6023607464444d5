import type { Operation } from '../../operations/operation/operation.ts';

/**
 * Every x402 extension has a JSON Schema of its `info`, which readers of `bazaar` compile. It allows everything here:
 * real schemas would be a third of a header that must fit through proxies.
 */
const ANYTHING = {};

export const toExtension = <Info extends object | string>(info: Info) => ({ info, schema: ANYTHING });

/** The extension with which a client may name its payment, to be recognized if it sends the payment again. */
export const PAYMENT_IDENTIFIER = toExtension({ required: false });

/**
 * How to call the operation, for catalogs of x402 services (extension `bazaar`): with both examples, with that of the
 * request, and without. The first one for which there is room is sent.
 */
export function describeForBazaar({ requestExample, responseExample }: Operation): readonly object[] {
  const call = { type: 'http', method: 'POST', bodyType: 'json' };
  const input = { ...call, body: requestExample };
  const output = { type: 'json', example: responseExample };
  return [{ input, output }, { input }, { input: { ...call, body: {} } }].map(toExtension);
}

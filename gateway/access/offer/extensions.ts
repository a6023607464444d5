import type { Operation } from '../../operations/operation/operation.ts';

/**
 * Every x402 extension has a JSON Schema of its `info`, which readers of `bazaar` compile. These allow everything:
 * real schemas would be a third of a header that must fit through proxies.
 */
const ANYTHING = {};

export const toExtension = <Info extends object | string>(info: Info) => ({ info, schema: ANYTHING });

/** The extension with which a client may name its payment, to be recognized if it sends the payment again. */
export const PAYMENT_IDENTIFIER = toExtension({ required: false });

/**
 * How to call the operation, for catalogs of x402 services (extension `bazaar`), from the longest text to the shortest. The
 * first one for which there is room is sent. A schema comes before the example of the result: scanners skip a resource
 * whose `schema` does not say what to send.
 */
export function describeForBazaar({ request, requestExample, responseExample }: Operation): readonly object[] {
  const call = { type: 'http', method: 'POST', bodyType: 'json' };
  const input = { ...call, body: requestExample };
  const output = { type: 'json', example: responseExample };
  const inputSchema = { properties: { body: outlineOf(request) } };
  const outputSchema = { properties: { example: { type: 'object' } } };
  return [
    { info: { input, output }, schema: { properties: { input: inputSchema, output: outputSchema } } },
    { info: { input }, schema: { properties: { input: inputSchema } } },
    toExtension({ input }),
    toExtension({ input: { ...call, body: {} } }),
  ];
}

/** The names and types of the fields alone. `/openapi.json` has the whole schema. */
function outlineOf({ required, properties }: Operation['request']): object {
  const fields = Object.entries(properties).map(([name, field]) => [name, 'type' in field ? { type: field.type } : {}]);
  return { type: 'object', required, properties: Object.fromEntries(fields) };
}

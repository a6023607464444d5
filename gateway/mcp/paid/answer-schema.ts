import { Type } from 'typebox';
import type { Operation } from '../../operations/operation/operation.ts';
import { outline } from '../listed-schema.ts';
import type { ObjectSchema } from '../tool.ts';

const PaymentRequired = Type.Object(
  {
    x402Version: Type.Literal(2),
    error: Type.String(),
    resource: Type.Object({ url: Type.String() }),
    accepts: Type.Array(Type.Object({}), { minItems: 1 }),
  },
  { description: 'With isError: what to pay (x402 PaymentRequired)' },
);

const Refusal = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      requestId: Type.String(),
      remedy: Type.Optional(Type.String({ description: 'What to do' })),
    }),
  },
  { description: 'With isError: why there is no result' },
);

/**
 * Every answer of a paid tool, in outline. An example shows a result that the outline does not show in full. x402 puts the payment requirements into
 * structured content, and the protocol's first SDK checks that against the output schema even in an error.
 */
export function answerSchemaOf({ response, responseExample }: Operation): ObjectSchema {
  const isFlat = Object.values(responseExample).every((value) => typeof value !== 'object' || value === null);
  return {
    type: 'object',
    anyOf: [response, PaymentRequired, Refusal].map(outline),
    ...(isFlat ? {} : { examples: [responseExample] }),
  };
}

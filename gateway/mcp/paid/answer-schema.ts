import { Type } from 'typebox';
import type { Operation } from '../../operations/operation/operation.ts';
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
 * All that a paid tool answers. x402 puts what to pay into structured content, and the protocol's first SDK holds that
 * to the output schema even where the answer is an error.
 */
export function answerSchemaOf({ response, responseExample }: Operation): ObjectSchema {
  return { type: 'object', anyOf: [response, PaymentRequired, Refusal], examples: [responseExample] };
}

import type { Operation } from '../../operations/operation/operation.ts';

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

const text = { type: 'string' } as const;

/** What the SIGN-IN-WITH-X header holds (x402 extension `sign-in-with-x`, after CAIP-122). */
export const SIGN_IN_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri: { type: 'string', format: 'uri' },
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: { type: 'string', format: 'date-time' },
    expirationTime: { type: 'string', format: 'date-time' },
    requestId: text,
    resources: { type: 'array', items: { type: 'string', format: 'uri' } },
    signature: text,
  },
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
} as const;

const micro = { type: 'string', pattern: '^(0|[1-9][0-9]*)$' } as const;
const positiveMicro = { type: 'string', pattern: '^[1-9][0-9]*$' } as const;

export const TRIAL_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    status: { enum: ['discovery_probe', 'challenge', 'insufficient_balance', 'daily_budget_exhausted', 'unavailable'] },
    quotedAmountAtomic: positiveMicro,
    coveredByInitialGrant: { type: 'boolean' },
    balanceAtomic: micro,
    nextStep: { type: 'object', properties: { action: text, description: text }, required: ['action', 'description'] },
  },
  required: ['status', 'quotedAmountAtomic', 'coveredByInitialGrant', 'nextStep'],
} as const;

/** A client may name its payment, so that it can be recognised in another header. */
export const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: {
    $schema: JSON_SCHEMA,
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
} as const;

/** How to call the operation, for catalogues of x402 services (extension `bazaar`). */
export function describeForBazaar({ requestExample, responseExample }: Operation): object {
  return {
    info: {
      input: { type: 'http', method: 'POST', bodyType: 'json', body: requestExample },
      output: { type: 'json', example: responseExample },
    },
    schema: {
      $schema: JSON_SCHEMA,
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { const: 'http' },
            method: { const: 'POST' },
            bodyType: { const: 'json' },
            body: { type: 'object' },
          },
          required: ['type', 'method', 'bodyType', 'body'],
        },
        output: { type: 'object' },
      },
      required: ['input'],
    },
  };
}

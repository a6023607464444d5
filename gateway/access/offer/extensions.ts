import {
  AMOUNT_PATTERN,
  POSITIVE_AMOUNT_PATTERN,
  TRIAL_STATUSES,
} from '../../../services/ledger/contract/trial-terms.ts';
import type { Operation } from '../../operations/operation/operation.ts';

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

const text = { type: 'string' } as const;

/**
 * The JSON of the SIGN-IN-WITH-X header (x402 extension `sign-in-with-x`, based on CAIP-122). It has no formats, which
 * validators ignore unless told otherwise: every 402 carries it in a header of at most 6 KB.
 */
export const SIGN_IN_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri: text,
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: text,
    expirationTime: text,
    requestId: text,
    resources: { type: 'array', items: text },
    signature: text,
  },
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
} as const;

const micro = { type: 'string', pattern: AMOUNT_PATTERN } as const;
const positiveMicro = { type: 'string', pattern: POSITIVE_AMOUNT_PATTERN } as const;

export const TRIAL_SCHEMA = {
  $schema: JSON_SCHEMA,
  type: 'object',
  properties: {
    status: { enum: TRIAL_STATUSES },
    quotedAmountAtomic: positiveMicro,
    coveredByInitialGrant: { type: 'boolean' },
    balanceAtomic: micro,
    nextStep: { type: 'object', required: ['action', 'description'] },
  },
  required: ['status', 'quotedAmountAtomic', 'coveredByInitialGrant', 'nextStep'],
} as const;

/** The extension with which a client may name its payment, to be recognized if it sends the payment again. */
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

/** How to call the operation, for catalogs of x402 services (extension `bazaar`). */
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

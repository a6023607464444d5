import { Type } from 'typebox';
import {
  AMOUNT_PATTERN,
  POSITIVE_AMOUNT_PATTERN,
  TRIAL_STATUSES,
} from '../../../services/ledger/contract/trial-terms.ts';
import { PUBLIC_CODES } from '../../../services/platform/errors/code-lists.ts';
import { ERROR_CODES } from '../../../services/platform/errors/error-codes.ts';
import type { ErrorEntry } from '../../../services/platform/errors/error-entry.ts';
import { STOP } from '../../../services/platform/errors/remedies.ts';
import { type DescribedFailure, REQUEST_ID, RETRY_AFTER, TRANSPORT_FAILURES } from '../../errors/transport-failures.ts';
import type { Operation } from './operation.ts';
import { toUsd } from './usd.ts';

const Atomic = Type.String({ pattern: AMOUNT_PATTERN });

const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({
        enum: [...PUBLIC_CODES],
        description: PUBLIC_CODES.map((code) => `- \`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n'),
      }),
      message: Type.String(),
      requestId: Type.String({ description: 'Equal to X-Request-Id' }),
      details: Type.Optional(Type.Array(Type.Unknown(), { description: 'Each fault alone, if there may be several' })),
    }),
  },
  { $id: 'Error', description: 'Error envelope' },
);

const OnboardingBody = Type.Object(
  {
    message: Type.String(),
    resource: Type.String({ description: 'Public URL of the operation' }),
    method: Type.Literal('POST'),
    requestExample: Type.Optional(Type.Object({}, { additionalProperties: true })),
    documentationUrl: Type.String(),
    openapiUrl: Type.String(),
    quickstartUrl: Type.Optional(Type.String()),
    extensions: Type.Optional(
      Type.Object({
        'seller-trial': Type.Object({
          info: Type.Object({
            status: Type.String({ enum: [...TRIAL_STATUSES] }),
            quotedAmountAtomic: Type.String({ pattern: POSITIVE_AMOUNT_PATTERN }),
            coveredByInitialGrant: Type.Boolean(),
            balanceAtomic: Type.Optional(Atomic),
            nextStep: Type.Object({ action: Type.String(), description: Type.String() }),
          }),
        }),
      }),
    ),
  },
  { $id: 'Onboarding', description: 'How to try or pay the operation' },
);

/** Schemas that several routes refer to. */
export const SHARED_SCHEMAS = [ErrorBody, OnboardingBody] as const;

const HEADERS = {
  ...REQUEST_ID,
  'x-access-mode': Type.Literal('trial', { description: 'Set only when a trial execution was admitted' }),
  'x-trial-status': Type.String({ description: 'A trial challenge, denial or accounting outcome' }),
  'x-trial-balance-atomic': Type.String({
    pattern: AMOUNT_PATTERN,
    description: 'Remaining credit in micro-USD, when known',
  }),
  'x-trial-accounting-status': Type.String({
    enum: ['confirmed', 'uncertain'],
    description: 'Whether the accounting is settled',
  }),
};

/** Answers of an operation beside 200 and 402. Size and content type are checked before a trial is. */
const FAILURES: Readonly<Record<number, DescribedFailure>> = {
  ...TRANSPORT_FAILURES,
  400: { description: 'Invalid business request, malformed proof or malformed payment' },
  401: {
    description:
      'Invalid, expired, wrong-resource or replayed proof; do not retry or pay automatically. For a replayed proof, the message says whether its call was charged',
  },
  409: { description: 'The payment was used for another request' },
  413: { description: 'The body is larger than 8 MiB', headers: REQUEST_ID },
  415: { description: 'The body is not application/json', headers: REQUEST_ID },
  429: { description: 'Too many unsigned or failed requests', headers: { ...HEADERS, ...RETRY_AFTER } },
  502: { description: 'Upstream provider failure' },
  503: {
    description: 'Not available now; with TRIAL_UNAVAILABLE a reservation may exist',
    headers: { ...HEADERS, ...RETRY_AFTER },
  },
  504: { description: 'The operation took too long' },
};

/** What a trial does after a failure, if that is not what a paid call does. */
function withTrial(described: DescribedFailure, status: number): DescribedFailure {
  const entries: readonly ErrorEntry[] = PUBLIC_CODES.map((code) => ERROR_CODES[code]);
  const stops = entries.some(({ http, trial }) => http === status && trial !== undefined);
  return stops ? { ...described, description: `${described.description}. ${STOP}` } : described;
}

/**
 * The route of an operation, as the OpenAPI document shows it. `x-payment-info` is read by directories of x402
 * (Agentcash Discovery 1, section 7).
 */
export function describeRoute(operation: Operation): object {
  const failure = ({ description, headers = HEADERS }: DescribedFailure) => ({
    ...Type.Ref('Error'),
    description,
    headers,
  });
  return {
    operationId: operation.operationId,
    tags: [operation.path.split('/')[3]],
    summary: operation.summary,
    description: `${operation.description} Price: ${operation.priceMicroUsd} micro-USD, paid by x402 or from the free credit of a wallet.`,
    // A payment is no security scheme: a call needs none, and a trial needs a sign-in.
    security: [{}, { siwx: [] }],
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: toUsd(operation.priceMicroUsd) },
      protocols: [{ x402: {} }],
    },
    headers: Type.Object({
      'PAYMENT-SIGNATURE': Type.Optional(Type.String({ description: 'Base64 of an x402 version 2 payment' })),
      'X-PAYMENT': Type.Optional(
        Type.String({
          description:
            'The name that PAYMENT-SIGNATURE had in x402 version 1. A payment of version 1 is answered with 402 and an offer of version 2.',
        }),
      ),
    }),
    body: { ...operation.request, examples: [operation.requestExample] },
    response: {
      200: {
        description: 'The result',
        headers: {
          ...HEADERS,
          'payment-response': Type.String({ description: 'Base64 of the settlement; never on a trial' }),
        },
        content: { 'application/json': { schema: { ...operation.response, examples: [operation.responseExample] } } },
      },
      402: {
        description: 'Payment or trial sign-in needed',
        headers: {
          ...HEADERS,
          'payment-required': Type.String({ description: 'Base64 of the x402 payment requirements' }),
          'payment-response': Type.String({ description: 'Base64 of a settlement that failed' }),
        },
        content: {
          'application/json': {
            schema: {
              anyOf: [Type.Ref('Onboarding'), Type.Ref('Error'), Type.Object({}, { additionalProperties: false })],
            },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries(FAILURES).map(([status, described]) => [status, failure(withTrial(described, Number(status)))]),
      ),
    },
  };
}

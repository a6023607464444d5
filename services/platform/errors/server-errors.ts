import type { ErrorEntry } from './error-entry.ts';
import { REPEAT, SMALLER, STOP, STOP_TO_CORRECT } from './remedies.ts';

const ONCE = 'A payment is executed and settled once, and an idempotent write is applied once.';

/** Codes of failures on our side that callers see: HTTP 5xx, in ascending order. */
export const SERVER_ERRORS = {
  INTERNAL: {
    http: 500,
    grpc: 'INTERNAL',
    repeat: true,
    meaning: 'The service has a fault.',
    remedy: `${REPEAT}, once. ${ONCE} Then report requestId.`,
    trial: STOP,
  },
  PLUGIN_FAILED: {
    http: 500,
    grpc: 'INTERNAL',
    forwarded: true,
    meaning: 'A Turndown plugin that the operator added failed on the document, or exceeded a limit.',
    remedy:
      'Nothing was charged. Report requestId. Another document may succeed, with the same payment if it is still valid.',
    trial: STOP_TO_CORRECT,
  },
  UPSTREAM_FAILURE: {
    http: 502,
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'A service behind the gateway, or a provider that it calls, failed.',
    remedy: `${REPEAT}, once. ${ONCE} Then report requestId.`,
    trial: STOP,
  },
  OVERLOADED: {
    http: 503,
    grpc: 'RESOURCE_EXHAUSTED',
    repeat: true,
    meaning: 'Too many requests are in progress.',
    remedy: `Wait a second. ${REPEAT}. ${ONCE}`,
    trial: STOP,
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    repeat: true,
    meaning: 'A service or its store is not available now.',
    remedy: `Wait two seconds. ${REPEAT}. ${ONCE}`,
    trial: STOP,
  },
  CALLS_FROZEN: {
    http: 503,
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The operator has stopped new paid and trial calls. Nothing was executed or charged.',
    remedy:
      'Wait as long as Retry-After says. Send the same request again, with the same payment; if that has expired by then, sign a new one. A payment that was executed before is answered, settled and refunded as always.',
    trial: STOP,
  },
  TRIAL_UNAVAILABLE: {
    http: 503,
    meaning: 'The trial could not be accounted for. A reservation of credit may exist.',
    remedy: 'Do not repeat the request and do not pay for it. An unsettled reservation is resolved automatically.',
  },
  PAYMENT_UNAVAILABLE: {
    http: 503,
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'Payments cannot be checked or recorded now.',
    remedy: `Wait a few seconds. ${REPEAT}. ${ONCE}`,
  },
  SETTLEMENT_PENDING: {
    http: 503,
    repeat: true,
    meaning:
      'The transaction of a payment is not confirmed yet: of a request that was executed, or of the deposit or refund of a channel.',
    remedy: `Wait five seconds. ${REPEAT}. ${ONCE}`,
  },
  UPSTREAM_TIMEOUT: {
    http: 504,
    grpc: 'DEADLINE_EXCEEDED',
    repeat: true,
    meaning: 'The operation, or a provider that it calls, took too long.',
    remedy: `${REPEAT}. ${ONCE}`,
    trial: STOP,
  },
  DOCUMENT_TOO_SLOW: {
    http: 504,
    grpc: 'DEADLINE_EXCEEDED',
    forwarded: true,
    meaning: 'The conversion of the document exceeded its time limit.',
    remedy: SMALLER,
    trial: STOP_TO_CORRECT,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

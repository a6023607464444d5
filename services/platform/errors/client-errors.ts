import type { ErrorEntry } from './error-entry.ts';
import { CORRECT, REPEAT, SMALLER, STOP, STOP_TO_CORRECT } from './remedies.ts';

const NEW_CHALLENGE =
  'Do not send this proof again, and do not pay automatically. Request a new challenge to try again.';

/** Codes for which the caller can do something: HTTP 400 to 408, in ascending order. */
export const CLIENT_ERRORS = {
  INVALID_JSON: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    meaning: 'The body is not valid JSON in UTF-8, or repeats a member.',
    remedy:
      'Nothing was charged. Send valid JSON without repeated members. In verified execution, send integers up to 2^53-1 as JSON numbers and every other number as a string, such as "80.00".',
    trial: STOP_TO_CORRECT,
  },
  INVALID_REQUEST: {
    http: 400,
    meaning: 'The request is malformed, or a field of its body breaks a rule of the operation.',
    remedy: CORRECT,
    trial: STOP_TO_CORRECT,
  },
  MALFORMED_PROOF: {
    http: 400,
    meaning: 'The SIGN-IN-WITH-X header is not a sign-in proof.',
    remedy: 'Send base64 of the JSON that the sign-in-with-x extension defines, once.',
  },
  MALFORMED_PAYMENT: {
    http: 400,
    meaning: 'The payment header is not an x402 payment.',
    remedy: 'Correct what the message names. Send base64 of an x402 PaymentPayload in one PAYMENT-SIGNATURE header.',
  },
  DOCUMENT_TOO_COMPLEX: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    meaning: 'The document has too many or too deeply nested elements.',
    remedy: SMALLER,
    trial: STOP_TO_CORRECT,
  },
  DOCUMENT_TOO_LARGE: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    meaning: 'The document, or the answer to it, is too large.',
    remedy: SMALLER,
    trial: STOP_TO_CORRECT,
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    meaning: 'This write needs an idempotency key.',
    remedy: 'Send an Idempotency-Key header (idempotency_key in a tool): any text, new for every write.',
  },
  INVALID_PROOF: {
    http: 401,
    meaning: 'The sign-in proof has a wrong signature, or signs another challenge than the one issued.',
    remedy: NEW_CHALLENGE,
  },
  WRONG_RESOURCE: {
    http: 401,
    meaning: 'The sign-in proof is for another URL, method or body.',
    remedy: NEW_CHALLENGE,
  },
  EXPIRED_PROOF: {
    http: 401,
    meaning: 'The sign-in challenge has expired.',
    remedy: NEW_CHALLENGE,
  },
  REPLAYED_PROOF: {
    http: 401,
    meaning:
      'The sign-in proof was used before. The message says whether its call was executed and charged, has not ended, or was not charged.',
    remedy:
      'Neither send the proof again nor pay for the request: the result of a proof is sent once. To call again, sign a new challenge; that is another call, with its own charge.',
  },
  UNAUTHENTICATED: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    forwarded: true,
    meaning: 'The API key is missing, unknown or revoked.',
    remedy: 'Send Authorization: Bearer with a valid API key.',
  },
  OPERATOR_KEY_REQUIRED: {
    http: 401,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    meaning: 'The request is for operators, and has no key or one that OPERATOR_KEY_HASHES does not list.',
    remedy: 'Send Authorization: Bearer with the key of an operator. Calls of gRPC have it in their metadata.',
  },
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    meaning: 'The role of the API key does not allow this operation.',
    remedy: 'Use an API key of the role that the message names.',
  },
  APPROVAL_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    meaning: 'This key may not approve this plan: a plan is approved by another key than the one that proposed it.',
    remedy: 'Give plan_id and plan_hash to the holder of another key of role approver.',
  },
  KEY_NOT_OWNER: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    meaning: 'The record belongs to another API key of the tenant.',
    remedy: 'Use the key that created the record, or a key of its group.',
  },
  ORIGIN_NOT_ALLOWED: {
    http: 403,
    meaning: 'The request comes from a page of another origin, or names another host than the public ones.',
    remedy: 'Call one of the public URLs that the message names.',
  },
  NOT_FOUND: {
    http: 404,
    grpc: 'NOT_FOUND',
    forwarded: true,
    meaning: "The path or the record does not exist. Other tenants' records do not exist for the caller.",
    remedy: 'Check the path and the ids. Send each id exactly as it was returned to your tenant.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    meaning: 'The path does not have this method.',
    remedy: 'Use a method of the Allow header.',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    repeat: true,
    meaning: 'The request did not arrive within 30 seconds.',
    remedy: `${REPEAT}, over a faster connection or with a smaller body.`,
    trial: STOP,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

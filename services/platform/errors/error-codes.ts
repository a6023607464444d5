import type { status } from '@grpc/grpc-js';

/** One error code of the API, of a service, or of both. */
export interface ErrorEntry {
  /** HTTP status. Present if the API can answer with this code. */
  readonly http?: number;
  /** gRPC status. Present if a service can answer with this code. */
  readonly grpc?: keyof typeof status;
  /** Present if the gateway passes a service's code and message on to the caller unchanged. */
  readonly forwarded?: true;
  /** Whether the caller may send exactly the same request again, payment and idempotency key included. */
  readonly repeat: boolean;
  /** One sentence: what happened. */
  readonly meaning: string;
  /** What the caller does next. Tools return it with the error. */
  readonly remedy: string;
}

const CORRECT =
  'Nothing was charged. Correct what the message names and send the request again, with the same payment if it had one.';
const SMALLER = 'Nothing was charged. Send a smaller part of the document, with the same payment if it is still valid.';
const REPEAT = 'Send the same request again, with the same payment or idempotency key if it had one';
const ONCE = 'A payment is executed and settled once, and an idempotent write is applied once.';
const NEW_CHALLENGE =
  'Do not send this proof again, and do not pay automatically. Request a new challenge to try again.';
const INTERNAL_ONLY = 'The gateway answers the caller with a public code.';

/** Every error code: the only place where its statuses, meaning and remedy are written. */
export const ERROR_CODES = {
  INVALID_JSON: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'The body is not valid JSON in UTF-8, or repeats a member.',
    remedy:
      'Nothing was charged. Send valid JSON without repeated members. In verified execution, send integers up to 2^53-1 as JSON numbers and every other number as a string, such as "80.00".',
  },
  INVALID_REQUEST: {
    http: 400,
    repeat: false,
    meaning: 'The request is malformed, or a field of its body breaks a rule of the operation.',
    remedy: CORRECT,
  },
  MALFORMED_PROOF: {
    http: 400,
    repeat: false,
    meaning: 'The SIGN-IN-WITH-X header is not a sign-in proof.',
    remedy: 'Send base64 of the JSON that the sign-in-with-x extension defines, once.',
  },
  MALFORMED_PAYMENT: {
    http: 400,
    repeat: false,
    meaning: 'The payment header is not an x402 payment.',
    remedy: 'Send base64 of an x402 PaymentPayload in one PAYMENT-SIGNATURE header.',
  },
  DOCUMENT_TOO_COMPLEX: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'The document has too many or too deeply nested elements.',
    remedy: SMALLER,
  },
  DOCUMENT_TOO_LARGE: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'The document, or the answer to it, is too large.',
    remedy: SMALLER,
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'This write needs an idempotency key.',
    remedy: 'Send an Idempotency-Key header (idempotency_key in a tool): any text, new for every write.',
  },
  INVALID_PROOF: {
    http: 401,
    repeat: false,
    meaning: 'The sign-in proof has a wrong signature, or signs another challenge than the one issued.',
    remedy: NEW_CHALLENGE,
  },
  WRONG_RESOURCE: {
    http: 401,
    repeat: false,
    meaning: 'The sign-in proof is for another URL, method or body.',
    remedy: NEW_CHALLENGE,
  },
  EXPIRED_PROOF: {
    http: 401,
    repeat: false,
    meaning: 'The sign-in challenge has expired.',
    remedy: NEW_CHALLENGE,
  },
  REPLAYED_PROOF: {
    http: 401,
    repeat: false,
    meaning: 'The sign-in proof was used before, and its request may have been charged.',
    remedy: 'Do not repeat the request and do not pay for it. Request a new challenge only for another request.',
  },
  UNAUTHENTICATED: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    forwarded: true,
    repeat: false,
    meaning: 'The API key is missing, unknown or revoked.',
    remedy: 'Send Authorization: Bearer with a valid API key.',
  },
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    repeat: false,
    meaning: 'The role of the API key does not allow this operation.',
    remedy: 'Use an API key of the role that the message names.',
  },
  APPROVAL_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    repeat: false,
    meaning: 'This key may not approve this plan: a plan is approved by another key than the one that proposed it.',
    remedy: 'Give plan_id and plan_hash to the holder of another key of role approver.',
  },
  KEY_NOT_OWNER: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    forwarded: true,
    repeat: false,
    meaning: 'The record belongs to another API key of the tenant.',
    remedy: 'Use the key that created the record, or a key of its group.',
  },
  ORIGIN_NOT_ALLOWED: {
    http: 403,
    repeat: false,
    meaning: 'The request comes from a page of another origin, or names another host than the public ones.',
    remedy: 'Call one of the public URLs that the message names.',
  },
  NOT_FOUND: {
    http: 404,
    grpc: 'NOT_FOUND',
    forwarded: true,
    repeat: false,
    meaning: "The path or the record does not exist. Other tenants' records do not exist for the caller.",
    remedy: 'Check the path and the ids. Send each id exactly as it was returned to your tenant.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    repeat: false,
    meaning: 'The path does not have this method.',
    remedy: 'Use a method of the Allow header.',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    repeat: true,
    meaning: 'The request did not arrive within 30 seconds.',
    remedy: `${REPEAT}, over a faster connection or with a smaller body.`,
  },
  PAYMENT_REUSED: {
    http: 409,
    repeat: false,
    meaning: 'The payment was used for another request, or the request does not show that it comes from the payer.',
    remedy:
      'This payment may be settled. For its own call, send that call with the same payment, both unchanged: the result is answered again and nothing more is charged. If that is refused too, do not pay for the same call again: report requestId. Sign a new payment only for a different call.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    forwarded: true,
    repeat: false,
    meaning: 'The idempotency key was used for another request.',
    remedy: 'Send a new Idempotency-Key (idempotency_key in a tool).',
  },
  PLAN_HASH_MISMATCH: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The plan has another hash than the request says.',
    remedy: 'Read the plan again, check what it says, and send the plan_id and plan_hash of that answer.',
  },
  PLAN_NOT_APPROVED: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The plan is not approved, or its approval has expired.',
    remedy: 'Have the plan approved. If it has expired, propose a new plan.',
  },
  PLAN_CLOSED: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The plan can no longer be approved: it is approved, expired or superseded, as the message says.',
    remedy: 'If the plan is approved, continue. Otherwise propose a new plan.',
  },
  STEP_OUT_OF_ORDER: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'An earlier step of the flow is missing.',
    remedy: 'Do the step that the message names first.',
  },
  EXECUTIONS_EXHAUSTED: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The plan has had as many executions as its approval allows.',
    remedy: 'Propose a new plan and have it approved.',
  },
  EXECUTION_CLOSED: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The execution is verified or refuted, which is final.',
    remedy: 'Send nothing more for this execution. Its verdicts are final.',
  },
  IDENTITY_REUSED: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    forwarded: true,
    repeat: false,
    meaning: 'An action that moves money was recorded before, with the same identity.',
    remedy: 'Find the execution that recorded this action. Do not record it twice.',
  },
  EVIDENCE_REUSED: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    forwarded: true,
    repeat: false,
    meaning: 'The artifact is already evidence for another action.',
    remedy: "Submit this action's own artifact.",
  },
  SHEET_EXISTS: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    forwarded: true,
    repeat: false,
    meaning: 'Another sheet has this name and version.',
    remedy: 'Save the sheet under a higher version.',
  },
  TOO_MANY_SHEETS: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: false,
    meaning: 'The tenant has as many sheets as it may keep.',
    remedy: 'Use existing sheets, or compose with save_as null.',
  },
  BODY_TOO_LARGE: {
    http: 413,
    repeat: false,
    meaning: 'The request body is larger than 8 MiB.',
    remedy: 'Send a smaller body.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    repeat: false,
    meaning: 'The body is not application/json, or is compressed.',
    remedy: 'Send uncompressed JSON with Content-Type: application/json.',
  },
  EXPECTATION_FAILED: {
    http: 417,
    repeat: false,
    meaning: 'The Expect header asks for something other than 100-continue.',
    remedy: 'Send the request without Expect.',
  },
  MALFORMED_INPUT: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'A value of the request is invalid. The message begins with a JSON pointer to the value.',
    remedy: 'Correct the value at the JSON pointer that begins the message, and send the whole request again.',
  },
  PLAN_VACUOUS: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'The rules of the plan contradict each other, so no run can obey them.',
    remedy: 'Change one of the rules that the message names.',
  },
  EFFECT_UNDERSTATED: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: "The plan gives a tool a lower effect than the operator's list does.",
    remedy: 'Give the tool the effect that the message names.',
  },
  TOOL_NAME_CONFUSABLE: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: "The name of a tool can be mistaken for a tool of the operator's list.",
    remedy: 'Use the listed name that the message gives, or a clearly different name.',
  },
  IDENTITY_MISPLACED: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: "The plan reads a tool's identity from another place in the response than the operator's list does.",
    remedy: 'Declare a field in responds at the JSON pointer that the message names, and name that field in identity.',
  },
  SHEET_VACUOUS: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'The constraints of the sheet contradict each other.',
    remedy: 'Change one of the constraints that the message names.',
  },
  EVIDENCE_REJECTED: {
    http: 422,
    grpc: 'INVALID_ARGUMENT',
    forwarded: true,
    repeat: false,
    meaning: 'An artifact has a kind, media type, size, count or hash that its step does not allow.',
    remedy: 'Send the artifact that the message names as the plan asks for it.',
  },
  REVENUE_WRITES_FROZEN: {
    http: 423,
    grpc: 'FAILED_PRECONDITION',
    forwarded: true,
    repeat: true,
    meaning: 'The operator has stopped writes that move money. Nothing was stored.',
    remedy: 'Wait until the status document says revenue_writes_frozen: false. Then send the same request again.',
  },
  RATE_LIMITED: {
    http: 429,
    repeat: true,
    meaning: 'Too many unsigned or failed requests came from this address, API key or wallet.',
    remedy: `Wait as long as Retry-After says, or a minute. ${REPEAT}.`,
  },
  HEADERS_TOO_LARGE: {
    http: 431,
    repeat: false,
    meaning: 'The request headers are larger than 32 KB.',
    remedy: 'Send fewer or shorter headers.',
  },
  INTERNAL: {
    http: 500,
    grpc: 'INTERNAL',
    repeat: true,
    meaning: 'The service has a fault.',
    remedy: `${REPEAT}, once. ${ONCE} Then report requestId.`,
  },
  UPSTREAM_FAILURE: {
    http: 502,
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'A service behind the gateway, or a provider that it calls, failed.',
    remedy: `${REPEAT}, once. ${ONCE} Then report requestId.`,
  },
  OVERLOADED: {
    http: 503,
    grpc: 'RESOURCE_EXHAUSTED',
    repeat: true,
    meaning: 'Too many requests are in progress.',
    remedy: `Wait a second. ${REPEAT}. ${ONCE}`,
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    repeat: true,
    meaning: 'A service or its store is not available now.',
    remedy: `Wait two seconds. ${REPEAT}. ${ONCE}`,
  },
  TRIAL_UNAVAILABLE: {
    http: 503,
    repeat: false,
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
    meaning: 'The request was executed, and the settlement of its payment is not confirmed yet.',
    remedy: `Wait five seconds. ${REPEAT}. ${ONCE}`,
  },
  UPSTREAM_TIMEOUT: {
    http: 504,
    grpc: 'DEADLINE_EXCEEDED',
    repeat: true,
    meaning: 'The operation, or a provider that it calls, took too long.',
    remedy: `${REPEAT}. ${ONCE}`,
  },
  DOCUMENT_TOO_SLOW: {
    http: 504,
    grpc: 'DEADLINE_EXCEEDED',
    forwarded: true,
    repeat: false,
    meaning: 'The conversion of the document exceeded its time limit.',
    remedy: SMALLER,
  },

  INVALID_ARGUMENT: {
    grpc: 'INVALID_ARGUMENT',
    repeat: false,
    meaning: 'A request from another process of this product is invalid. Callers get INVALID_REQUEST.',
    remedy: CORRECT,
  },
  ALREADY_EXISTS: {
    grpc: 'ALREADY_EXISTS',
    repeat: false,
    meaning: 'Another execution of the same payment is retained.',
    remedy: INTERNAL_ONLY,
  },
  SANDBOX_ONLY: {
    grpc: 'FAILED_PRECONDITION',
    repeat: false,
    meaning: 'The call is for the sandbox, and this service does not run on play money.',
    remedy: INTERNAL_ONLY,
  },
  RECORDS_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of verified execution is not available. Callers get SERVICE_UNAVAILABLE.',
    remedy: INTERNAL_ONLY,
  },
  RETENTION_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of retained bodies is not available.',
    remedy: INTERNAL_ONLY,
  },
  JOBS_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of jobs is not available. Callers get SERVICE_UNAVAILABLE.',
    remedy: INTERNAL_ONLY,
  },
  DEADLINE_EXCEEDED: {
    grpc: 'DEADLINE_EXCEEDED',
    repeat: true,
    meaning: 'The deadline of the call has passed. Callers get UPSTREAM_TIMEOUT.',
    remedy: INTERNAL_ONLY,
  },
  CANCELLED: {
    grpc: 'CANCELLED',
    repeat: true,
    meaning: 'The caller of the service cancelled the call.',
    remedy: INTERNAL_ONLY,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

type Table = typeof ERROR_CODES;
type CodesWith<Field extends keyof ErrorEntry> = {
  [Code in keyof Table]: Table[Code] extends Readonly<Record<Field, unknown>> ? Code : never;
}[keyof Table];

/** A code that the API answers with. */
export type ErrorCode = CodesWith<'http'>;
/** A code that a service answers with. */
export type ServiceErrorCode = CodesWith<'grpc'>;
/** A code of a service that the gateway passes on to the caller, with its message. */
export type ForwardedErrorCode = CodesWith<'forwarded'>;

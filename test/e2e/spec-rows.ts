/** A row of a table in the API's specification, and the test that checks it. */
export interface SpecRow {
  readonly table: 'operation' | 'status' | 'header' | 'state' | 'trial status' | 'accounting' | 'error code';
  readonly row: string;
  /** Path under test/. */
  readonly file: string;
  /** A part of the test's title, as the source of the test has it. */
  readonly title: string;
}

type Row = readonly [row: string, file: string, title: string];

const ANSWERS = 'e2e/answers.test.ts';
const BAD_INPUT = 'e2e/bad-input.test.ts';
const MAPS = 'e2e/maps.test.ts';
const LIMITS = 'e2e/limits.test.ts';
const OUTAGES = 'e2e/faults/outages.test.ts';
const WIRE = 'e2e/faults/redis-wire.test.ts';
const ACCESS = 'e2e/verified/access.test.ts';
const INTEGRITY = 'services/verification/integrity.test.ts';
const BAD_ARGUMENTS = 'gateway/verified/bad-input.test.ts';
const BAD_RECORDS = 'e2e/verified/bad-input.test.ts';
const ORDER = 'services/verification/order.test.ts';
const OPERATOR = 'e2e/operator/operator.test.ts';
const CATALOGUE = 'services/verification/catalogue/catalogue.test.ts';
const PAYMENT_PLANS = 'services/verification/plans/payment-plans.test.ts';
const MATRIX = 'e2e/faults/payment-matrix.test.ts';

const CHARGED = 'a signed request is executed, charged and confirmed';
const CHALLENGED = 'a valid unsigned request gets a challenge of 300 seconds';
const PROBED = 'an empty or probing request is a discovery probe';
const UNCOVERED = 'a wallet whose credit does not cover the quote is denied';
const EXHAUSTED = 'parallel wallets as the daily budget allows';
const UNAVAILABLE = 'while Redis is frozen, requests do not wait for it';
const RELEASED = 'a trial whose operation fails is released';
const UNCERTAIN = 'a trial whose charge is not confirmed is delivered as uncertain';

const COMPLETED =
  "completes a provider's answer, and releases the credit if the provider fails (502) or is silent (504)";

const OPERATIONS: readonly Row[] = [
  ['geocode', MAPS, 'geocode finds a place by its name'],
  ['reverse-geocode', MAPS, 'reverse-geocode names a point'],
  ['html-to-markdown', ANSWERS, CHARGED],
];

const STATUS: readonly Row[] = [
  ['200', ANSWERS, CHARGED],
  ['400', BAD_INPUT, 'refuses an unknown property'],
  ['401', BAD_INPUT, 'with one proof, and refuses the others as replayed'],
  ['402 with the onboarding body', ANSWERS, CHALLENGED],
  ['402 with an empty object', BAD_INPUT, 'answers a payment of an empty wallet with 402 and the reason'],
  ['404', BAD_INPUT, 'an unknown path'],
  ['405', BAD_INPUT, 'the method PUT'],
  ['502', OUTAGES, 'a payment whose chain hangs is answered with 502'],
  ['502 of a provider', MAPS, COMPLETED],
  ['503', OUTAGES, 'without the content service, a trial is released'],
  ['504', OUTAGES, 'an operation that takes too long is answered with 504'],
  ['504 of a provider', MAPS, COMPLETED],
];

const HEADERS: readonly Row[] = [
  ['SIGN-IN-WITH-X', ANSWERS, CHARGED],
  ['X-Access-Mode', ANSWERS, RELEASED],
  ['X-Trial-Status', ANSWERS, 'a bad proof is rejected'],
  ['X-Trial-Balance-Atomic', ANSWERS, UNCOVERED],
  ['X-Trial-Accounting-Status', ANSWERS, CHARGED],
  ['PAYMENT-REQUIRED', ANSWERS, CHALLENGED],
  ['PAYMENT-RESPONSE', ANSWERS, 'a paid request is settled and reports the settlement'],
  ['no payment response on a trial', ANSWERS, CHARGED],
  ['payment before proof', BAD_INPUT, 'ignores a proof that comes with a payment'],
  ['X-Request-Id', ANSWERS, 'a bad proof is rejected'],
];

const STATES: readonly Row[] = [
  ['discovery_probe', ANSWERS, PROBED],
  ['challenge', ANSWERS, CHALLENGED],
  ['insufficient_balance', ANSWERS, UNCOVERED],
  ['daily_budget_exhausted', 'e2e/credit-under-load.test.ts', EXHAUSTED],
  ['unavailable', WIRE, UNAVAILABLE],
];

const TRIAL_STATUS: readonly Row[] = [
  ...STATES,
  ['rejected', ANSWERS, 'a bad proof is rejected'],
  ['released', ANSWERS, RELEASED],
  ['charged', ANSWERS, CHARGED],
  ['accounting_uncertain', OUTAGES, UNCERTAIN],
];

const ACCOUNTING: readonly Row[] = [
  ['confirmed', ANSWERS, CHARGED],
  ['uncertain', OUTAGES, UNCERTAIN],
];

const ERROR_CODES: readonly Row[] = [
  ['INVALID_JSON', BAD_INPUT, 'duplicate keys'],
  ['INVALID_REQUEST', BAD_INPUT, 'refuses an unknown property'],
  ['MALFORMED_PROOF', BAD_INPUT, 'a proof that is not JSON'],
  ['MALFORMED_PAYMENT', BAD_INPUT, 'a payment that is not base64'],
  ['DOCUMENT_TOO_COMPLEX', ANSWERS, RELEASED],
  ['DOCUMENT_TOO_LARGE', 'workers/html-to-markdown/html-to-markdown.test.ts', 'a document over 8 MiB is refused'],
  [
    'DOCUMENT_TOO_SLOW',
    'services/content/content-service.test.ts',
    'a document over the time limit of its conversion is DOCUMENT_TOO_SLOW',
  ],
  ['INVALID_PROOF', BAD_INPUT, 'another signer'],
  ['WRONG_RESOURCE', BAD_INPUT, 'a body other than the challenged body'],
  ['EXPIRED_PROOF', 'gateway/access/challenge/challenge.test.ts', 'a proof'],
  ['REPLAYED_PROOF', BAD_INPUT, 'with one proof, and refuses the others as replayed'],
  ['NOT_FOUND', BAD_INPUT, 'an unknown path'],
  ['METHOD_NOT_ALLOWED', BAD_INPUT, 'the method PUT'],
  ['REQUEST_TIMEOUT', 'e2e/faults/flood.test.ts', 'a body that does not arrive is answered with 408'],
  ['PAYMENT_REUSED', BAD_INPUT, 'a payment used for another body'],
  ['BODY_TOO_LARGE', BAD_INPUT, 'a body over 8 MiB'],
  ['UNSUPPORTED_MEDIA_TYPE', BAD_INPUT, 'a gzip bomb'],
  ['RATE_LIMITED', LIMITS, 'unsigned requests over the limit of their address get 429'],
  ['HEADERS_TOO_LARGE', BAD_INPUT, '33 KB of headers'],
  ['EXPECTATION_FAILED', 'gateway/http/http-app.test.ts', 'an expectation that cannot be met'],
  ['INTERNAL', 'gateway/errors/app-error.test.ts', 'an unknown error is INTERNAL'],
  ['UPSTREAM_FAILURE', OUTAGES, 'a payment whose chain hangs is answered with 502'],
  ['OVERLOADED', OUTAGES, 'refuses and releases requests beyond the capacity of the workers'],
  ['SERVICE_UNAVAILABLE', OUTAGES, 'without the content service, a trial is released'],
  ['TRIAL_UNAVAILABLE', OUTAGES, 'nothing is reserved and no trial runs'],
  ['PAYMENT_UNAVAILABLE', OUTAGES, 'without the payments service, trials continue'],
  ['SETTLEMENT_PENDING', MATRIX, 'every payer gets the result by repeating the request'],
  ['UPSTREAM_TIMEOUT', OUTAGES, 'an operation that takes too long is answered with 504'],
  ['IDEMPOTENCY_KEY_REQUIRED', BAD_RECORDS, 'without an idempotency key'],
  ['UNAUTHENTICATED', ACCESS, 'refuses every request with a missing or malformed key'],
  ['ROLE_NOT_ALLOWED', ACCESS, 'each role may do its own operations'],
  ['APPROVAL_NOT_ALLOWED', ACCESS, 'each role may do its own operations'],
  ['IDEMPOTENCY_KEY_REUSED', 'services/verification/parallel.test.ts', 'a key that was used for another request'],
  ['PLAN_HASH_MISMATCH', ORDER, 'a plan require its hash'],
  ['PLAN_NOT_APPROVED', ORDER, 'nothing is executed before the plan is approved'],
  ['PLAN_CLOSED', ORDER, 'a plan is approved once'],
  ['STEP_OUT_OF_ORDER', ORDER, 'an unsatisfied check allows no execution'],
  ['EXECUTIONS_EXHAUSTED', ORDER, 'a plan is executed at most max_executions times'],
  ['EXECUTION_CLOSED', ORDER, 'a verified execution accepts neither evidence nor another verification'],
  ['IDENTITY_REUSED', ORDER, 'a payment is recorded once'],
  ['EVIDENCE_REUSED', 'e2e/verified/refund-agent.test.ts', 'ends as expected'],
  ['MALFORMED_INPUT', BAD_ARGUMENTS, 'requires each of its fields, with its type'],
  ['PLAN_VACUOUS', BAD_ARGUMENTS, "'PLAN_VACUOUS'"],
  ['EFFECT_UNDERSTATED', BAD_ARGUMENTS, "'EFFECT_UNDERSTATED'"],
  ['TOOL_NAME_CONFUSABLE', INTEGRITY, 'can be mistaken for a listed tool, and is refused'],
  ['IDENTITY_MISPLACED', INTEGRITY, 'a plan cannot say that the identity of a listed tool is elsewhere'],
  ['KEY_NOT_OWNER', INTEGRITY, 'another agent key writes to no execution or check'],
  ['EVIDENCE_REJECTED', BAD_RECORDS, 'more evidence than its step allows'],
  ['ORIGIN_NOT_ALLOWED', 'gateway/mcp/register-mcp.test.ts', "'ORIGIN_NOT_ALLOWED'"],
  ['SHEET_EXISTS', ACCESS, 'a sheet is stored once under its name and version'],
  ['SHEET_VACUOUS', ACCESS, 'a sheet is stored once under its name and version'],
  ['TOO_MANY_SHEETS', 'services/verification/sheets/sheets.test.ts', "'TOO_MANY_SHEETS'"],
  ['UNKNOWN_TOOL', PAYMENT_PLANS, 'a plan names descriptions and tables that are stored'],
  ['UNKNOWN_TABLE', PAYMENT_PLANS, 'a plan names descriptions and tables that are stored'],
  ['TOOL_EXISTS', CATALOGUE, 'another under its name and version is refused'],
  ['TOO_MANY_TOOLS', CATALOGUE, 'a tenant has at most 1,000 descriptions'],
  ['TOO_MANY_TABLES', 'services/verification/tables/tables.test.ts', 'the tables of a tenant have a quota'],
  ['LIMIT_EXCEEDED', 'services/verification/limits/limits.test.ts', 'fifty parallel recordings never exceed a limit'],
  ['CALLS_FROZEN', OPERATOR, 'an operator freezes new calls, every gateway refuses them, and takes them again'],
  ['OPERATOR_KEY_REQUIRED', OPERATOR, 'only a key opens it, whatever else is sent'],
  [
    'REVENUE_WRITES_FROZEN',
    'services/verification/operator.test.ts',
    'while revenue writes are frozen no payment is recorded',
  ],
];

const toRows = (table: SpecRow['table'], rows: readonly Row[]): readonly SpecRow[] =>
  rows.map(([row, file, title]) => ({ table, row, file, title }));

export const SPEC_ROWS: readonly SpecRow[] = [
  ...toRows('operation', OPERATIONS),
  ...toRows('status', STATUS),
  ...toRows('header', HEADERS),
  ...toRows('state', STATES),
  ...toRows('trial status', TRIAL_STATUS),
  ...toRows('accounting', ACCOUNTING),
  ...toRows('error code', ERROR_CODES),
];

import { setAt } from '../../helpers/set-at.ts';
import { PLAN } from './refund.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** A part of the error answer that describes the fault. */
  readonly fault?: string;
}

const INVALID_JSON: Refusal = { status: 400, code: 'INVALID_JSON' };
export const MALFORMED: Refusal = { status: 422, code: 'MALFORMED_INPUT' };

/** New values by JSON pointer. Undefined removes the property. */
export type Changes = Readonly<Record<string, unknown>>;

/** A copy of a document with changes. */
export function changed(base: object, changes: Changes): object {
  const copy = structuredClone(base);
  for (const [pointer, value] of Object.entries(changes)) setAt(copy, pointer.slice(1).split('/'), value);
  return copy;
}

/** Bodies that every endpoint refuses. */
export const BODIES: readonly (readonly [string, string | Buffer, Refusal])[] = [
  ['text that is not JSON', '{"plan":', INVALID_JSON],
  ['two values', '{} {}', INVALID_JSON],
  ['a byte order mark', '\ufeff{}', INVALID_JSON],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), INVALID_JSON],
  ['duplicate keys', '{"plan":{},"plan":{}}', INVALID_JSON],
  ['duplicate keys in a nested object', '{"plan":{"a":[{"b":1,"\\u0062":1}]}}', INVALID_JSON],
  ['a lone surrogate', '{"plan":{"title":"\\ud800"}}', INVALID_JSON],
  ['a NUL', '{"plan":{"title":"\\u0000"}}', INVALID_JSON],
  ['a number beyond safe integers', '{"plan":{"max_executions":9007199254740992}}', INVALID_JSON],
  ['a number that would be rounded', '{"plan":{"max_executions":0.99999999999999999999}}', INVALID_JSON],
  ['a number too small for a double', '{"plan":{"max_executions":1e-400}}', INVALID_JSON],
  ['a large number with an exponent', '{"plan":{"max_executions":1e21}}', INVALID_JSON],
  ['negative zero', '{"plan":{"max_executions":-0}}', INVALID_JSON],
  ['a member named __proto__', '{"plan":{"__proto__":{"title":"x"}}}', INVALID_JSON],
  ['100 nested arrays', `{"plan":${'['.repeat(100)}${']'.repeat(100)}}`, INVALID_JSON],
  ['an array', '[]', MALFORMED],
  ['null', 'null', MALFORMED],
  ['a string', '"plan"', MALFORMED],
  ['a number', '1', MALFORMED],
  ['an unknown property', '{"constructor":{}}', MALFORMED],
];

const SUM = ['sum', 'pay', ['arg', 'amount']];
/** Invalid plans, with the code or the pointer in the message. */
export const PLANS: readonly (readonly [string, Changes, string])[] = [
  ['an unknown tool', { '/steps/0/tool': 'order.find@1.0.0' }, 'UNKNOWN_TOOL'],
  ['another version of a tool', { '/steps/0/tool': 'order.get@1.0.1' }, 'UNKNOWN_TOOL'],
  ['an unknown step to wait for', { '/steps/1/after': ['ask'] }, 'UNKNOWN_STEP'],
  ['an unknown step in a rule', { '/constraints/0/expr/1/1': 'ask' }, 'UNKNOWN_STEP'],
  ['an unknown argument', { '/steps/0/where/0/expr/1/1': 'order' }, 'UNKNOWN_NAME'],
  ['an unknown operator', { '/steps/0/where/0/expr/0': '==' }, 'UNKNOWN_OPERATOR'],
  ['an unknown property', { '/verdict': 'satisfied' }, 'MALFORMED_PLAN'],
  ['an unknown property of a tool', { '/tools/0/trusted': true }, 'MALFORMED_PLAN'],
  ['an observed field that does not exist', { '/tools/1/observe/refundable': 'rest' }, 'UNKNOWN_FIELD'],
  ['steps that wait for each other', { '/steps/0/after': ['pay'] }, 'CYCLIC_ORDER'],
  ['a step that waits for itself', { '/steps/0/after': ['look'] }, 'CYCLIC_ORDER'],
  ['min above max', { '/steps/0/min': 2 }, 'IMPOSSIBLE_COUNT'],
  ['an invalid JSON pointer', { '/steps/1/evidence/0/reads/amount/at': 'amount' }, 'MALFORMED_PLAN'],
  ['300 actions in a step', { '/steps/0/max': 300 }, 'MALFORMED_PLAN'],
  ['an id of 65 characters', { '/steps/0/step_id': 'a'.repeat(65) }, 'MALFORMED_PLAN'],
  ['an id beyond ASCII', { '/steps/0/step_id': 'lóok' }, 'MALFORMED_PLAN'],
  ['a variable beyond ASCII', { '/variables/čap': PLAN.variables.cap }, 'MALFORMED_PLAN'],
  ['an unknown pure tool', { '/tools/0/replay': 'pure' }, 'UNKNOWN_PURE_TOOL'],
  ['effects that are not observed', { '/tools/1/observe': {} }, 'WRONG_REPLAY'],
  ['a payment without an identity', { '/tools/1/identity': null }, 'WRONG_REPLAY'],
  ['a decimal that is a number', { '/variables/cap/value': 100 }, 'MALFORMED_'],
  ['a decimal of another scale', { '/variables/cap/value': '100.0' }, 'WRONG_SCALE'],
  ['two steps with the same id', { '/steps/1/step_id': 'look' }, 'DUPLICATE_ID'],
  ['another format', { '/plan_format': 2 }, 'MALFORMED_PLAN'],
  ['a title of 600 KB', { '/title': 'a'.repeat(600_000) }, '/plan: larger'],
  ['a time that has passed', { '/expires_at': '2020-01-01T00:00:00.000000Z' }, '/plan/expires_at'],
  ['30 February', { '/expires_at': '2099-02-30T00:00:00.000000Z' }, '/plan/expires_at'],
  ['the year 0', { '/expires_at': '0000-01-01T00:00:00.000000Z' }, '/plan/expires_at'],
  ['a time without microseconds', { '/expires_at': '2099-01-01T00:00:00Z' }, '/plan/expires_at'],
  ['a predecessor that does not exist', { '/supersedes': '01a1ff10-ab22-7009-9a2f-8dff3c2533c4' }, '/plan/supersedes'],
  ['a predecessor with a malformed id', { '/supersedes': 'x' }, '/plan/supersedes'],
];

export const CONTRADICTION = [
  { id: 'much', expr: ['>=', SUM, ['dec', '50.00']] },
  { id: 'little', expr: ['<=', SUM, ['dec', '20.00']] },
];

/** Malformed actions. They are refused as proposed actions and as recorded actions. */
export const MISSHAPEN: readonly (readonly [string, Changes])[] = [
  ['no arguments', { '/1/args': undefined }],
  ['arguments that are an array', { '/1/args': [] }],
  ['a step beyond ASCII', { '/1/step_id': 'päy' }],
  ['no tool', { '/1/tool': undefined }],
  ['a verdict', { '/1/verdict': 'satisfied' }],
];

/** Actions with wrong arguments. A check of proposed ones has the verdict invalid_input; recorded ones are refused. */
export const UNTYPED: readonly (readonly [string, Changes])[] = [
  ['an argument missing', { '/1/args': { order_id: 'A1' } }],
  ['an argument too many', { '/1/args/note': 'x' }],
  ['an amount that is a number', { '/1/args/amount': 80 }],
  ['an amount of another scale', { '/1/args/amount': '80.0' }],
  ['an amount with an exponent', { '/1/args/amount': '8e1' }],
  ['an amount of negative zero', { '/1/args/amount': '-0.00' }],
  ['an amount of 40 digits', { '/1/args/amount': `${'9'.repeat(40)}.00` }],
  ['an order of 65 characters', { '/1/args/order_id': 'A'.repeat(65) }],
];

/** Recorded actions that are refused. */
export const RECORDED: readonly (readonly [string, Changes])[] = [
  ['no response', { '/1/response': undefined }],
  ['a response that lacks a field', { '/1/response': { id: 'r' } }],
  ['a response that is null', { '/1/response': null }],
  ['a time without microseconds', { '/1/started_at': '2026-11-21T12:00:00Z' }],
  ['a time of another zone', { '/1/started_at': '2026-11-21T12:00:00.000000+01:00' }],
  ['the hour 99', { '/1/started_at': '2026-11-21T99:00:00.000000Z' }],
  ['31 June', { '/1/ended_at': '2026-06-31T12:00:00.000000Z' }],
];

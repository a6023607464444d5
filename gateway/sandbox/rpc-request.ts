import { isRecord } from '../../services/platform/is-record.ts';
import { I_JSON, type JsonRules, parseStrictJson, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';

/** Enough for a call with a hundred vouchers. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_BATCH = 20;
const RULES: JsonRules = { ...I_JSON, maxDepth: 8, maxValues: 10_000 };

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** One message of a body. `malformed` has no id that an answer could carry. A notification gets no answer. */
export type RpcMessage = RpcRequest | 'malformed' | 'notification';

export interface RpcBody {
  readonly isBatch: boolean;
  readonly messages: readonly RpcMessage[];
}

/**
 * Reads the body of a JSON-RPC 2.0 request: one message or a batch.
 * @throws {AppError} INVALID_JSON, INVALID_REQUEST, BODY_TOO_LARGE
 */
export function readRpcBody(text: unknown): RpcBody {
  if (typeof text !== 'string') throw new AppError('INVALID_JSON', 'send a JSON-RPC request as the body');
  if (text.length > MAX_CHARACTERS) throw new AppError('BODY_TOO_LARGE', 'the request is larger than 256 KiB');
  const body = parse(text);
  if (!Array.isArray(body)) return { isBatch: false, messages: [toMessage(body)] };
  if (body.length === 0) throw new AppError('INVALID_REQUEST', 'the batch is empty');
  if (body.length > MAX_BATCH) {
    throw new AppError('INVALID_REQUEST', `a batch has at most ${MAX_BATCH} requests`);
  }
  return { isBatch: true, messages: body.map(toMessage) };
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text, RULES);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new AppError('INVALID_JSON', error.message, { cause: error });
  }
}

function toMessage(value: unknown): RpcMessage {
  if (!isRecord(value)) return 'malformed';
  const { jsonrpc, id, method, params = [] } = value;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return 'malformed';
  if (id === undefined) return 'notification';
  return isId(id) ? { id, method, params } : 'malformed';
}

const isId = (id: unknown): id is RpcId => id === null || typeof id === 'string' || typeof id === 'number';

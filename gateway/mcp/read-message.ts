import { isRecord } from '../../services/platform/is-record.ts';
import { type JsonRules, parseStrictJson, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';

const ARGUMENTS = '/params/arguments';
/** Depth of a tool's arguments in a message. */
const DEPTH_OF_ARGUMENTS = 2;
const MAX_POINTER_CHARACTERS = 128;

export interface RpcMessage {
  readonly message: Readonly<Record<string, unknown>>;
  /** A fault in the arguments only: it becomes an error of the tool, for the model that wrote them. */
  readonly fault?: AppError;
}

/**
 * Reads one JSON-RPC message, with the arguments in it by the tool's own rules.
 * @throws {AppError} INVALID_JSON, INVALID_REQUEST
 */
export function readMessage(text: unknown, rules: JsonRules): RpcMessage {
  if (typeof text !== 'string') throw new AppError('INVALID_JSON', 'send a JSON-RPC message as the body');
  const deeper = { ...rules, maxDepth: rules.maxDepth + DEPTH_OF_ARGUMENTS };
  try {
    return { message: toMessage(parseStrictJson(text, deeper)) };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const fault = new AppError('INVALID_JSON', at(error), { cause: error });
    const isOfArguments =
      error.pointer.startsWith(`${ARGUMENTS}/`) && (error.code === 'NUMBER' || error.code === 'NUL');
    if (!isOfArguments) throw fault;
    return { message: toMessage(parseLoosely(text, deeper, fault)), fault };
  }
}

/** Accepts any number: nobody uses the values. */
function parseLoosely(text: string, rules: JsonRules, fault: AppError): unknown {
  try {
    return parseStrictJson(text, { ...rules, numbers: 'double', nul: 'accepted' });
  } catch {
    throw fault;
  }
}

function toMessage(value: unknown): RpcMessage['message'] {
  if (Array.isArray(value))
    throw new AppError('INVALID_REQUEST', 'batches are not supported: send one message per request');
  if (isRecord(value)) return value;
  throw new AppError('INVALID_REQUEST', 'a JSON-RPC message is an object');
}

/** The message of a fault, with a pointer that starts at the root of the arguments, as over HTTP. */
function at({ pointer, message }: StrictJsonError): string {
  const own = pointer.startsWith(`${ARGUMENTS}/`) ? pointer.slice(ARGUMENTS.length) : pointer;
  return own === '' ? message : `${own.slice(0, MAX_POINTER_CHARACTERS)}: ${message}`;
}

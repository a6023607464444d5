import { Type } from 'typebox';
import { defined } from '../../../workers/exact/defined.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';

/** The variable of every process that operators call. */
export const OperatorKeySetting = {
  OPERATOR_KEY_HASHES: Type.Optional(
    Type.String({
      description:
        'keys of operators, each a name, a colon and SHA-256 of the key in hex, comma-separated; none by default. All processes need the same',
    }),
  ),
} as const;

/** The key of an operator, as its hash. */
interface OperatorKey {
  /** Name of the person or program in the audit trail. */
  readonly name: string;
  readonly hash: Buffer;
}

export type OperatorKeys = readonly OperatorKey[];

/** Reads OPERATOR_KEY_HASHES. @throws {ConfigurationError} */
export function readOperatorKeys(text: string | undefined): OperatorKeys {
  if (text === undefined) return [];
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map(parseKey);
}

function parseKey(entry: string): OperatorKey {
  const found = /^([\w.@-]{1,64}):([0-9a-f]{64})$/i.exec(entry);
  if (found === null) {
    throw new ConfigurationError(
      'OPERATOR_KEY_HASHES: each entry is name:hash, the name 1 to 64 of A-Z a-z 0-9 _ . @ -, the hash SHA-256 in hex',
    );
  }
  return { name: defined(found[1]), hash: Buffer.from(defined(found[2]), 'hex') };
}

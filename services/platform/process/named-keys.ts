import { decodeBase64 } from '../base64.ts';
import { ConfigurationError } from './environment.ts';
import { checkKeptKey, type KeptKey, readKeptKey } from './secret-file.ts';

/** A key that encrypts stored data, with the id that is stored beside the data. */
export interface NamedKey {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Buffer;
}

/** Keys of a variable, or the only key of a file where the variable is not set. */
export interface NamedKeysOptions extends KeptKey {
  /** Value of the variable: `id:base64`, comma-separated. */
  readonly text: string | undefined;
}

export type NamedKeys = readonly [NamedKey, ...NamedKey[]];

/** Reads the keys of a variable, or the key of a file. The first encrypts, all decrypt. @throws {ConfigurationError} */
export function readNamedKeys({ text, ...kept }: NamedKeysOptions): NamedKeys {
  return parseNamedKeys(kept.name, text) ?? [{ id: LOCAL_KEY, secret: readKeptKey(kept) }];
}

/** Makes no key. @throws {ConfigurationError} if `readNamedKeys` would */
export function checkNamedKeys({ text, ...kept }: NamedKeysOptions): void {
  if (parseNamedKeys(kept.name, text) === undefined) checkKeptKey(kept);
}

/** Id of a key that is kept in a file. */
export const LOCAL_KEY = 'local';

/** Parses `id:base64`, comma-separated. @returns undefined where there is no key. @throws {ConfigurationError} */
export function parseNamedKeys(name: string, text: string | undefined): NamedKeys | undefined {
  const entries = text?.split(',').filter((entry) => entry !== '');
  const [first, ...rest] = entries === undefined ? [] : entries.map((entry) => parseKey(name, entry));
  const ids = new Set([first, ...rest].map((key) => key?.id));
  if (ids.size <= rest.length) throw new ConfigurationError(`${name}: two keys have one id`);
  return first === undefined ? undefined : [first, ...rest];
}

function parseKey(name: string, entry: string): NamedKey {
  const [id, text] = entry.trim().split(':');
  const secret = text === undefined ? undefined : decodeBase64(text);
  if (id === undefined || !/^[\w.-]{1,32}$/.test(id) || secret?.length !== 32) {
    throw new ConfigurationError(
      `${name}: each entry is id:base64, the id 1 to 32 of A-Z a-z 0-9 _ . -, the key 32 bytes`,
    );
  }
  return { id, secret };
}

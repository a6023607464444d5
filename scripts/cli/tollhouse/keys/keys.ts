import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROLES } from '../../../../services/platform/grpc/identity.ts';
import { hasCode } from '../../../../services/platform/process/system-error.ts';
import type { Command } from '../../terminal/command.ts';
import { createCertificates } from './certificates.ts';

const KEY_BYTES = 32;
/** Of the first key of a variable that has several, which a later one replaces. */
const FIRST_ID = 'k1';

const newKey = () => randomBytes(KEY_BYTES).toString('base64');
const newNamedKey = () => `${FIRST_ID}:${newKey()}`;

/** The keys that Tollhouse needs outside the sandbox, but for that of the signer, by the names of their files. */
const KEYS: readonly (readonly [file: string, variable: string, create: () => string])[] = [
  ['challenge', 'CHALLENGE_KEYS', newKey],
  ['fingerprint', 'FINGERPRINT_KEY', newKey],
  ['retention', 'RETENTION_KEYS', newNamedKey],
  ['authorization', 'AUTHORIZATION_KEYS', newNamedKey],
  ['proof-issuer', 'PROOF_ISSUER_KEY', newKey],
  ['proof-log', 'PROOF_LOG_KEY', newKey],
  ['receiver-authorizer', 'X402_RECEIVER_AUTHORIZER_KEY', () => `0x${randomBytes(KEY_BYTES).toString('hex')}`],
];

/** `keys create`: makes the files of keys and certificates that are not there, and prints the settings that name them. */
export const createKeys: Command = async ({ say }, _, folder) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [file, variable, create] of KEYS) {
    const path = resolve(join(folder, file));
    const isNew = writeNew(path, `${create()}\n`);
    if (!isNew) say(`# ${path} was there, and stays as it is`);
    say(`${variable}_FILE=${path}`);
  }
  const { tlsFolder, authorityKey, created } = await createCertificates(resolve(folder));
  if (created.length < ROLES.length)
    say(`# certificates that were there, and stay as they are: ${ROLES.length - created.length}`);
  say('# Only if processes are on several hosts:');
  say(`#TLS_FOLDER=${tlsFolder}`);
  say(`# A host needs only the folders of its processes. Keep ${authorityKey} on none of them: it makes certificates.`);
  say('# Keep a copy of these files elsewhere: what they encrypt or sign is lost without them.');
};

/** Writes a file that only its owner can read. @returns false if it is there */
function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

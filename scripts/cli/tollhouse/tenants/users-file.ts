import { isRecord } from '../../../../services/platform/is-record.ts';
import { type NamedUser, USER_ID } from '../../../../services/verification/users/embedded-users.ts';
import { fold, type SourceUser } from '../../../../services/verification/users/user-source.ts';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { CommandError } from '../../terminal/command.ts';

export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 4096;
const MAX_USERS = 20_000;
const NEWLINE = 0x0a;

/** An address of RFC 5321 without comments and quotes. */
const EMAIL = /^[^\s\p{Cc}@"(),:;<>[\]\\]{1,64}@[^\s\p{Cc}@"(),:;<>[\]\\]{1,253}$/u;
const NAME = /^(?=.*\S)[^\p{Cc}]{1,200}$/su;

/**
 * Reads JSON lines (https://jsonlines.org) with one user in each line:
 * `{"id":"7","name":"Ann","email":"ann@example.com","active":true}`. All four fields are required; `email` may be null.
 * @throws {CommandError} that names the first wrong line
 */
export function parseUsersFile(bytes: Buffer): readonly NamedUser[] {
  if (bytes.length > MAX_FILE_BYTES) throw new CommandError(`the file is larger than ${MAX_FILE_BYTES} bytes`);
  const users: NamedUser[] = [];
  const lines = new Map<string, number>();
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const user = parseLine(bytes.subarray(start, end), line);
    const before = lines.get(user.id);
    if (before !== undefined) throw wrong(line, `has the same id as line ${before}`);
    if (users.length === MAX_USERS) throw wrong(line, `is one user too many: the limit is ${MAX_USERS}`);
    lines.set(user.id, line);
    users.push(user);
    start = end + 1;
  }
  return users;
}

const wrong = (line: number, what: string) => new CommandError(`line ${line} ${what}`);

function parseLine(bytes: Uint8Array, line: number): NamedUser {
  let value: unknown;
  try {
    value = parseStrictJsonBytes(bytes, MAX_LINE_BYTES, RECORD_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw wrong(line, `is not a user: ${error.message}`);
  }
  if (!isRecord(value)) throw wrong(line, 'is not an object');
  const { id, name, email, active, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrong(line, `has ${JSON.stringify(other)}: a user has id, name, email and active`);
  if (typeof id !== 'string' || !USER_ID.test(id)) throw wrong(line, `has an id that does not match ${USER_ID.source}`);
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw wrong(line, 'has no valid name: a name has 1 to 200 characters and no control characters');
  }
  // Every key sees names, but only keys with a scope see addresses.
  if (fold(name).includes('@')) throw wrong(line, 'has an @ in the name: an address belongs in email');
  if (email !== null && (typeof email !== 'string' || !EMAIL.test(email))) {
    throw wrong(line, 'has a wrong email: it must be an address or null');
  }
  if (typeof active !== 'boolean') throw wrong(line, 'has a wrong active: it must be true or false');
  return { id, name, email, active };
}

/** Writes users in the format that `parseUsersFile` reads. */
export function formatUsersFile(users: readonly SourceUser[]): string {
  return users.map(({ id, name, email, active }) => `${JSON.stringify({ id, name, email, active })}\n`).join('');
}

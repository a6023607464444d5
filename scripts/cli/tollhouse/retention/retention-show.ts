import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { type ReviewedCall, reviewCall } from '../../../../services/backoffice/retention/review.ts';
import { findRecordsOfRequest } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { isUuidV7 } from '../../../../services/platform/patterns.ts';
import type { Database } from '../../../../services/store/database.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { named, retentionKeysOf } from './retention-environment.ts';

/** `retention show`. Prints the bodies of a call, after the act is recorded. */
export const showBodies: Command = named(async (terminal, { json, reason }, id) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  if (!isUuidV7(id)) throw new CommandError('give the X-Request-Id of a call, or the id of its record', 2);
  const cipher = createBodyCipher(retentionKeysOf(terminal));
  const call = await withDatabase(terminal, async (database) =>
    reviewCall({ database, cipher }, await subjectOf(database, id), by),
  );
  const [request, response] = [call.requestBody, call.responseBody].map((body) => body.toString('utf8'));
  if (json) terminal.say(JSON.stringify({ ...headOf(call), request, response }));
  else {
    for (const [name, value] of Object.entries(headOf(call))) terminal.say(`${name.padEnd(10)}  ${value}`);
    terminal.say(`request     ${printable(call.requestBody)}`);
    terminal.say(`response    ${printable(call.responseBody)}`);
  }
});

const subjectOf = async (database: Database, id: string) =>
  (await findRecordsOfRequest(database, id)).length > 0 ? { requestId: id } : { recordId: id };

const headOf = ({ recordId, requestId, access, operation, retainedAt }: ReviewedCall) => ({
  recordId,
  requestId: requestId ?? null,
  access,
  operation,
  retainedAt: retainedAt.toISOString(),
});

/** The text, with escapes for characters that could change the state of a terminal. */
const printable = (body: Buffer): string =>
  body.toString('utf8').replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0);
    return code === undefined ? '' : `\\u{${code.toString(16)}}`;
  });

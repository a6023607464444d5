import { RetentionDaysConfig } from '../../../../services/backoffice/contract/retention-setting.ts';
import { describeRows } from '../../../../services/backoffice/retention/key-uses.ts';
import {
  type HeldBody,
  type RetentionStatus,
  readRetentionStatus,
} from '../../../../services/backoffice/retention/retention-status.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import type { Command } from '../../terminal/command.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `retention status`. What is kept, until when, and with which keys. */
export const showRetention: Command = async (terminal, { json }) => {
  const { RETENTION_DAYS: days } = readEnvironment(RetentionDaysConfig, terminal.environment);
  const found = await withDatabase(terminal, (database) => readRetentionStatus(database, { days, nowMs: Date.now() }));
  if (json) terminal.say(JSON.stringify({ retentionDays: days, ...found, next: found.next ?? null }));
  else for (const line of linesOf(found, days)) terminal.say(line);
};

function linesOf(found: RetentionStatus, retentionDays: number): readonly string[] {
  const { days, rows, bytes, next, overdue, held, keys } = found;
  const [oldest, newest] = [days.at(0), days.at(-1)];
  const range = oldest === undefined || newest === undefined ? '' : `, from ${oldest.day} to ${newest.day}`;
  return [
    `limit       RETENTION_DAYS=${retentionDays} in this environment`,
    `days        ${days.length}${range}`,
    `calls       ${rows}`,
    `bytes       ${bytes} on the disk`,
    `deletion    ${next === undefined ? 'nothing to delete' : `${next.day} after ${next.deletedAfter.toISOString()}`}`,
    `overdue     ${overdue.length === 0 ? 'no day' : overdue.join(', ')}`,
    `held        ${held.length} past their day, because a payment or trial is open`,
    ...held.map((body) => `  ${describe(body)}`),
    ...keys.map((use) => `key ${use.keyId} of ${use.variable}  ${describeRows(use)}`),
  ];
}

function describe({ recordId, day, access, operation, dueAt, attempts }: HeldBody): string {
  const why = dueAt === null ? 'no outcome is recorded' : `asked ${attempts} times, again at ${dueAt.toISOString()}`;
  return `${recordId}  ${day}  ${access}  ${operation}  ${why}`;
}

import { userInfo } from 'node:os';
import { CommandError, type Terminal } from './command.ts';

/** Name of the operator for the audit trail: TOLLHOUSE_OPERATOR, or the user of this machine. */
export function operatorOf({ environment }: Pick<Terminal, 'environment'>): string {
  return environment['TOLLHOUSE_OPERATOR'] || userInfo().username;
}

/** The reason for an act. @throws {CommandError} if it is missing */
export function requireReason(reason: string | undefined): string {
  const text = reason?.trim();
  if (text === undefined || text === '') throw new CommandError('give a reason for the audit trail: --reason TEXT', 2);
  return text;
}

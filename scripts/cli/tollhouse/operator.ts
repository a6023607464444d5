import { userInfo } from 'node:os';
import { CommandError, type Terminal } from './command.ts';

/** Name of the operator for the audit trail: TOLLHOUSE_OPERATOR, or the user of this machine. */
export function operatorOf({ environment }: Pick<Terminal, 'environment'>): string {
  return environment['TOLLHOUSE_OPERATOR'] || userInfo().username;
}

/** The reason of an act that changes or reveals something. @throws {CommandError} if it is missing */
export function requireReason(reason: string | undefined): string {
  if (reason === undefined || reason.trim() === '') throw new CommandError('--reason TEXT is required', 2);
  return reason;
}

import { userInfo } from 'node:os';
import type { Terminal } from './command.ts';

/** Name of the operator for the audit trail: TOLLHOUSE_OPERATOR, or the user of this machine. */
export function operatorOf({ environment }: Pick<Terminal, 'environment'>): string {
  return environment['TOLLHOUSE_OPERATOR'] || userInfo().username;
}

import type { LogKey } from '../contract/proof/key-file.ts';
import type { VerificationKey } from '../contract/proof/verification-key.ts';

/**
 * The log under one of its names. A restored database may lack leaves that readers have seen, so the log continues under
 * another name: two different trees are never signed under one name. The first name has no suffix.
 */
export function namedLog<Key extends VerificationKey>(log: LogKey<Key>, suffix: string | null): LogKey<Key> {
  return suffix === null ? log : { ...log, origin: `${log.origin}/${suffix}` };
}

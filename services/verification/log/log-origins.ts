import type { VerificationKey } from '../proof/ed25519.ts';
import type { LogKey } from '../proof/keys.ts';

/**
 * The log under the name of a generation. The first one has the configured origin. A restored database may lack leaves
 * that readers have seen, so the log continues under another name: two different trees are never signed under one name.
 */
export function logOfGeneration<Key extends VerificationKey>(log: LogKey<Key>, generation: number): LogKey<Key> {
  return generation === 1 ? log : { ...log, origin: `${log.origin}/${generation}` };
}

/** The log under all of its names, the first one first. Proofs of every generation stay valid. */
export function logsUntil<Key extends VerificationKey>(log: LogKey<Key>, generation: number): readonly LogKey<Key>[] {
  return Array.from({ length: generation }, (_, index) => logOfGeneration(log, index + 1));
}

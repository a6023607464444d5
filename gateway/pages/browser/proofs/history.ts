import { type Checkpoint, openCheckpoint } from '../../../../services/verification/contract/proof/checkpoint.ts';
import type { LogKey, TrustedKeys } from '../../../../services/verification/contract/proof/key-file.ts';
import { openRemembered, verifyLogContinues } from '../../../../services/verification/contract/proof/log-history.ts';
import { ApiError } from '../page/api.ts';
import type { Check } from './checks.ts';
import type { LogMemory, SeenCheckpoint } from './log-memory.ts';
import type { LogReader } from './log-reader.ts';
import { leaves, type ValidProof, type VerifyOptions } from './report.ts';

type Outcome = Pick<Check, 'outcome' | 'says'>;

/**
 * Compares the log of a valid proof with its present head, and with what this browser saw of it before. The head is
 * remembered if all agree.
 * @throws {ProofError} if the log contradicts itself
 */
export async function checkHistory(
  proof: ValidProof,
  { logKeys }: TrustedKeys,
  options: VerifyOptions,
): Promise<Outcome> {
  const seen = recall(options.memory, proof.checkpoint.origin);
  if (seen === 'nowhere') {
    return open('This browser keeps nothing for this page, so it cannot compare the log with earlier visits.');
  }
  if (options.log === undefined) return compareWithout(proof, seen, logKeys);
  try {
    return await compareWith(options.log, proof, { ...options, seen, logKeys });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return open(`The log could not be compared. ${error.code}: ${error.message}`);
  }
}

interface Known extends Pick<VerifyOptions, 'keysOf' | 'memory'> {
  readonly seen: SeenCheckpoint | undefined;
  readonly logKeys: readonly LogKey[];
}

async function compareWith(
  log: LogReader,
  proof: ValidProof,
  { seen, logKeys, keysOf, memory }: Known,
): Promise<Outcome> {
  const { origin } = proof.checkpoint;
  const head = await log.readHead();
  const now = await openCheckpoint(head, logKeys);
  if (now.origin !== origin) {
    return open(
      `The log of this server has another name now: ${now.origin}. A log gets another name after its database was restored. This proof can no longer be compared with it.`,
    );
  }
  const compare = { logKeys, head, now, log };
  await assertContinues(proof.file.log.checkpoint, proof.checkpoint, compare);
  const says = [`The log has ${leaves(now.size)} now, and its tree begins with the tree of this proof.`];
  if (seen !== undefined) {
    const before = await openRemembered(seen.checkpoint, logKeys);
    await assertContinues(seen.checkpoint, before, compare);
    says.push(`Consistent with the checkpoint of size ${before.size} that this browser saw at ${seen.seen_at}.`);
  }
  if (keysOf === 'server') says.push(...rememberHead(memory, now, head, seen));
  return { outcome: 'passed', says };
}

function rememberHead(
  memory: LogMemory,
  { origin, size }: Checkpoint,
  checkpoint: string,
  seen: SeenCheckpoint | undefined,
): readonly string[] {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  if (!memory.remember(origin, { checkpoint, seen_at: `${now} UTC` })) {
    return ['This browser has no room to remember the present head of the log.'];
  }
  if (seen !== undefined) return [];
  return [`This browser sees this log for the first time. From now on it remembers the head of ${leaves(size)}.`];
}

const open = (...says: readonly string[]): Outcome => ({ outcome: 'open', says });

function recall(memory: LogMemory, origin: string): SeenCheckpoint | undefined | 'nowhere' {
  try {
    return memory.recall(origin);
  } catch (error) {
    if (error instanceof DOMException) return 'nowhere';
    throw error;
  }
}

/** Compares with what this browser remembers, and asks no server. */
async function compareWithout(
  { file, checkpoint }: ValidProof,
  seen: SeenCheckpoint | undefined,
  logKeys: readonly LogKey[],
): Promise<Outcome> {
  if (seen === undefined) return open('This browser has not seen this log before, and no server was asked about it.');
  const before = await openRemembered(seen.checkpoint, logKeys);
  const says = `the checkpoint of size ${before.size} that this browser saw at ${seen.seen_at}`;
  if (before.size !== checkpoint.size) {
    return open(`The proof's tree has ${leaves(checkpoint.size)}. To compare it with ${says}, the log must be asked.`);
  }
  await verifyLogContinues({ logKeys, remembered: seen.checkpoint, head: file.log.checkpoint, consistency: [] });
  return { outcome: 'passed', says: [`Consistent with ${says}.`] };
}

interface Comparison {
  readonly logKeys: readonly LogKey[];
  readonly head: string;
  readonly now: Checkpoint;
  readonly log: LogReader;
}

async function assertContinues(remembered: string, before: Checkpoint, { logKeys, head, now, log }: Comparison) {
  const isProven = before.size < now.size;
  const consistency = isProven ? await log.readConsistency(before.size, now.size) : [];
  await verifyLogContinues({ logKeys, remembered, head, consistency });
}

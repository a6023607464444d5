import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { VERSIONS } from '../../../services/verification/contract/versions.ts';
import { verifyRecords } from '../../../services/verification/offline/verify-records.ts';
import { readKeyFile, type TrustedKeys } from '../../../services/verification/proof/keys.ts';
import { ProofError } from '../../../services/verification/proof/proof-error.ts';
import { verifyProofFile } from '../../../services/verification/proof/proof-file.ts';
import { CommandError, type Terminal } from './command.ts';

const USAGE =
  'usage: npm run tollhouse -- verify-proof FILE --keys KEYS [--records FILE] [--checkpoint FILE [--consistency FILE]]';

/**
 * Verifies a proof offline: who signed it, that it is in the log, that the log is the one that was seen before, and,
 * with the records, that every hash and every verdict is the same when it is worked out again. Exit code 1: the proof is
 * not valid. Exit code 3: all is valid, but the verdicts are of an engine that this version cannot run.
 */
export async function verifyProof(args: readonly string[], { say }: Pick<Terminal, 'say'>): Promise<void> {
  const { file, keys, records, checkpoint, consistency } = readArguments(args);
  const verdict = verifyProofFile(readFileSync(file), {
    ...readKeys(keys),
    ...(checkpoint === undefined ? {} : { rememberedCheckpoint: readFileSync(checkpoint, 'utf8') }),
    ...(consistency === undefined ? {} : { consistency: readConsistency(consistency) }),
  });
  if (!verdict.ok) throw new CommandError(`NOT VALID: ${verdict.message} (${verdict.code})`);
  const { statement } = verdict;
  const { predicate } = statement;
  say('signature and log  valid');
  if (records !== undefined) {
    const result = await verifyRecords(statement, readFileSync(records));
    if (result.outcome === 'refuted') throw new CommandError(`NOT VALID: ${result.fault}`);
    if (result.outcome === 'engine_unknown') {
      say('records            every hash is the same');
      throw new CommandError(notRerun(result.engine), 3);
    }
    say('records            every hash and every verdict is the same');
  }
  for (const { name, digest } of statement.subject) say(`${name}  sha256 ${digest.sha256}`);
  say(`verified at ${predicate.verified_at}; assurance ${JSON.stringify(predicate.assurance)}`);
  say(predicate.limitation);
  if (records === undefined) say("The verdicts are the issuer's word: --records works them out again.");
  if (checkpoint === undefined) say('Whether others are shown another log nobody can tell: keep its checkpoint.');
}

/** The verdicts may be right: nothing was found that says otherwise. */
function notRerun(engine: string): string {
  return (
    `VERDICTS NOT CHECKED: made by an engine that this version does not have: ${engine}; this version has ` +
    `${VERSIONS.engine}. Verify with a version of Tollhouse that has the engine.`
  );
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { keys: text, records: text, checkpoint: text, consistency: text },
    });
    const [file, ...rest] = positionals;
    const { keys } = values;
    if (file === undefined || keys === undefined || rest.length > 0) throw new CommandError(USAGE, 2);
    return { ...values, file, keys };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${(error as Error).message}\n${USAGE}`, 2);
  }
}

function readKeys(file: string): TrustedKeys {
  try {
    return readKeyFile(readFileSync(file));
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new CommandError(`${file}: ${error.message}`, 2);
  }
}

/** As `GET /api/v1/log/consistency` answers. */
function readConsistency(file: string): readonly string[] {
  try {
    const answer = JSON.parse(readFileSync(file, 'utf8')) as { readonly hashes?: unknown } | null;
    const hashes = answer?.hashes;
    if (Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string')) return hashes;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`${file}: not a consistency proof`, 2);
}

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { VERSIONS } from '../../../services/verification/contract/versions.ts';
import { verifyRecords } from '../../../services/verification/offline/verify-records.ts';
import { readKeyFile, type TrustedKeys } from '../../../services/verification/proof/keys.ts';
import { ProofError } from '../../../services/verification/proof/proof-error.ts';
import { verifyProofFile } from '../../../services/verification/proof/proof-file.ts';
import { CommandError, type Terminal, withUsage } from './command.ts';

const USAGE =
  'usage: npm run tollhouse -- verify-proof FILE --keys KEYS [--records FILE] [--checkpoint FILE [--consistency FILE]]';

/**
 * Verifies a proof offline: its signature, its inclusion in the log, and, with a remembered checkpoint, that the log has
 * not been rewritten. With the records, it computes every hash and every verdict again. Exit code 1: the proof is not
 * valid. Exit code 3: the proof is valid, but this version cannot run the engine that made the verdicts.
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
  if (records === undefined)
    say("The verdicts were not checked, only the issuer's signature: --records computes them again.");
  if (checkpoint === undefined)
    say(
      'Keep the checkpoint of the log, and pass it as --checkpoint next time: it shows whether the log was rewritten.',
    );
}

/** The message for verdicts that may be right, but cannot be computed by this version. */
function notRerun(engine: string): string {
  return (
    `VERDICTS NOT CHECKED: they were made by an engine that this version does not have: ${engine}. This version has ` +
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
    throw withUsage(error, USAGE);
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

const consistencyProof = Compile(Type.Object({ hashes: Type.Array(Type.String()) }));

/** Reads an answer of `GET /api/v1/log/consistency`. */
function readConsistency(file: string): readonly string[] {
  try {
    const answer: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (consistencyProof.Check(answer)) return answer.hashes;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`${file}: not a consistency proof`, 2);
}

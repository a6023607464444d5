import { readFileSync } from 'node:fs';
import {
  ENGINE_VERSION,
  type ProofResult,
  type VerifiedProof,
  verifyProof as verify,
} from '../../../../services/verification/offline/verify-proof.ts';
import { CommandError, parseArguments, type Terminal } from '../terminal/command.ts';

const USAGE =
  'usage: npm run tollhouse -- verify-proof FILE --keys KEYS [--records FILE] [--checkpoint FILE [--consistency FILE]]';

/**
 * Verifies a proof offline and prints what was verified. Exit code 1: the proof is not valid. Exit code 2: another file
 * cannot be used. Exit code 3: all is valid, but the verdicts are of an engine that this version cannot run.
 */
export async function verifyProof(args: readonly string[], { say }: Pick<Terminal, 'say'>): Promise<void> {
  const files = readArguments(args);
  const { file, keys, records, checkpoint, consistency } = files;
  const result = await verify({
    proof: readFileSync(file),
    keys: readFileSync(keys),
    ...(records === undefined ? {} : { records: readFileSync(records) }),
    ...(checkpoint === undefined ? {} : { checkpoint: readFileSync(checkpoint, 'utf8') }),
    ...(consistency === undefined ? {} : { consistency: readFileSync(consistency) }),
  });
  const verified = requireVerified(result, files);
  say('signature and log  valid');
  if (result.outcome === 'verdicts_not_checked') {
    say('records            every hash is the same');
    throw new CommandError(notRerun(result.engine), 3);
  }
  if (records !== undefined) say('records            every hash and every verdict is the same');
  const { subject, predicate } = verified.statement;
  for (const { name, digest } of subject) say(`${name}  sha256 ${digest.sha256}`);
  say(`verified at ${predicate.verified_at}; assurance ${JSON.stringify(predicate.assurance)}`);
  say(predicate.limitation);
  if (records === undefined) say("The verdicts are the issuer's word: --records works them out again.");
  if (checkpoint === undefined) say('Only a checkpoint detects whether others are shown another log: keep this one.');
}

type Files = ReturnType<typeof readArguments>;

/** @throws {CommandError} unless the signature and the log are valid, and the records are those of the proof */
function requireVerified(result: ProofResult, files: Files): VerifiedProof {
  if (result.outcome === 'unusable_input') throw new CommandError(`${files[result.input]}: ${result.message}`, 2);
  if (result.outcome !== 'invalid') return result;
  const code = result.code === undefined ? '' : ` (${result.code})`;
  throw new CommandError(`NOT VALID: ${result.message}${code}`);
}

/** The verdicts may be right: nothing was found that contradicts them. */
function notRerun(engine: string): string {
  return (
    `VERDICTS NOT CHECKED: they were made by an engine that this version does not have: ${engine}; this version has ` +
    `${ENGINE_VERSION}. Verify with a version of Tollhouse that has the engine.`
  );
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { keys: text, records: text, checkpoint: text, consistency: text };
  const { values, positionals } = parseArguments(args, options, USAGE);
  const [file, ...rest] = positionals;
  const { keys } = values;
  if (file === undefined || keys === undefined || rest.length > 0) throw new CommandError(USAGE, 2);
  return { ...values, file, keys };
}

import { readFileSync } from 'node:fs';
import {
  ENGINE_VERSION,
  type ProofResult,
  type VerifiedProof,
  verifyProof as verify,
} from '../../../../services/verification/offline/verify-proof.ts';
import { type Command, CommandError } from '../../terminal/command.ts';

/**
 * Verifies a proof offline and prints what was verified. Exit code 1: the proof is not valid. Exit code 2: another file
 * cannot be used. Exit code 3: all is valid, but the verdicts are of an engine that this version cannot run.
 */
export const verifyProof: Command = async ({ say }, options, file) => {
  const { keys = '', records, checkpoint, consistency } = options;
  const result = await verify({
    proof: readFileSync(file),
    keys: readFileSync(keys),
    ...(records === undefined ? {} : { records: readFileSync(records) }),
    ...(checkpoint === undefined ? {} : { checkpoint: readFileSync(checkpoint, 'utf8') }),
    ...(consistency === undefined ? {} : { consistency: readFileSync(consistency) }),
  });
  const verified = requireVerified(result, { ...options, proof: file });
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
};

/** The paths of the files. */
type Files = Partial<Record<Extract<ProofResult, { outcome: 'unusable_input' }>['input'] | 'proof', string>>;

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

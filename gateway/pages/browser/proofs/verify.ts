import { openCheckpoint } from '../../../../services/verification/contract/proof/checkpoint.ts';
import { readKeyFile, type TrustedKeys } from '../../../../services/verification/contract/proof/key-file.ts';
import { ProofError } from '../../../../services/verification/contract/proof/proof-error.ts';
import { verifyProofFile } from '../../../../services/verification/contract/proof/verify-proof-file.ts';
import { CHECK_OF, type Check, checksUntil } from './checks.ts';
import { checkHistory } from './history.ts';
import { leaves, type Report, type ValidProof, type VerifyOptions } from './report.ts';

/**
 * Verifies a proof in the browser, with the same functions as the command `verify-proof`.
 * @throws {ProofError} KEY_INVALID if the key file cannot be used
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const trusted = await readKeyFile(options.keys);
  const result = await verifyProofFile(options.proof, trusted);
  if (!result.ok) {
    const { code, message } = result;
    return { checks: checksUntil(CHECK_OF[code], [`${message} (${code})`]), fault: { code, message } };
  }
  const valid: ValidProof = {
    statement: result.statement,
    // Its form was checked.
    file: JSON.parse(new TextDecoder().decode(options.proof)),
    checkpoint: await openCheckpoint(result.checkpoint, trusted.logKeys),
  };
  return withHistory(valid, trusted, options);
}

async function withHistory(valid: ValidProof, trusted: TrustedKeys, options: VerifyOptions): Promise<Report> {
  const passed = checksPassed(valid, options.proof.length);
  try {
    const history = await checkHistory(valid, trusted, options);
    return { checks: [...passed, { name: 'history', ...history }], valid };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    const { code, message } = error;
    return {
      checks: [...passed, { name: 'history', outcome: 'failed', says: [`${message} (${code})`] }],
      valid,
      fault: { code, message },
    };
  }
}

function checksPassed({ file, checkpoint }: ValidProof, bytes: number): readonly Check[] {
  const { size, origin } = checkpoint;
  const [{ keyid }] = file.envelope.signatures;
  const says = {
    form: `The file is a proof in its canonical form, ${bytes} bytes.`,
    issuer: `The key ${keyid} signed the statement (Ed25519).`,
    statement: `The signed statement is about the proof ${file.proof_id}, and is well formed.`,
    checkpoint: `The log ${origin} signed the head of its tree of ${leaves(size)}.`,
    inclusion: `The signed statement is leaf ${file.log.index} of that tree: ${file.log.inclusion.length} hashes lead from it to the root.`,
  };
  return Object.entries(says).map(([name, text]) => ({
    name: name as keyof typeof says,
    outcome: 'passed',
    says: [text],
  }));
}

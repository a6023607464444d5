import { Compile } from 'typebox/schema';
import { LIMITATION, PREDICATE_TYPE, type Predicate, readStatement, Statement } from '../contract/proof/statement.ts';
import { canonicalBytes, digestRecord } from './digests.ts';

/** Several times faster than the schema itself. */
const compiled = Compile(Statement);

/** A subject of a proof. `sha256`: for a plan or an execution, the digest in its domain; for an artifact, of its bytes. */
export interface Digested {
  readonly id: string;
  readonly sha256: string;
}

export interface StatementFacts {
  readonly tenantId: string;
  readonly plan: Digested;
  readonly execution: Digested;
  readonly artifacts: readonly Digested[];
  readonly predicate: Omit<Predicate, 'limitation'>;
}

/**
 * The canonical bytes of a statement, for signing.
 * @throws {ProofError} STATEMENT_MALFORMED for a statement that would not verify
 */
export async function encodeStatement({
  tenantId,
  plan,
  execution,
  artifacts,
  predicate,
}: StatementFacts): Promise<Buffer> {
  const value = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      subject('tenant', { id: tenantId, sha256: digestRecord('tenant', tenantId) }),
      subject('plan', plan),
      subject('execution', execution),
      ...artifacts
        .map((artifact) => subject('artifact', artifact))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: { ...predicate, limitation: LIMITATION },
  };
  const bytes = canonicalBytes(value);
  await readStatement(bytes, (read) => compiled.Check(read));
  return bytes;
}

function subject(kind: string, { id, sha256 }: Digested) {
  return { name: `${kind}/${id}`, digest: { sha256 } };
}

import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { defined } from '../../../../workers/exact/defined.ts';
import { INSTANT_PATTERN } from '../../../../workers/exact/instants.ts';
import { shapeFault } from '../../../../workers/exact/shape-fault.ts';
import { StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { SHA256_PATTERN } from '../../../platform/patterns.ts';
import { digestOf } from './digest.ts';
import { isCanonicalOf, parseRecord } from './parse-record.ts';
import { ProofError } from './proof-error.ts';

const closed = { additionalProperties: false };
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024;

/** What a proof does not establish. Every proof contains this sentence. */
export const LIMITATION = 'Of the actions reported. Unreported actions and the truth of responses are not established.';

/** The predicate type of new proofs. It identifies the form of the predicate and is not an address. */
export const PREDICATE_TYPE = 'urn:tollhouse:verified-execution:v1';
/** The predicate type of proofs of the first receipt version. They stay valid. */
const FIRST_PREDICATE_TYPE = 'https://tollhouse.example/verified-execution/v1';
const FIRST_RECEIPT = 'tollhouse-proof-receipt-1.0.0';

const Id = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' });
const Sha256 = Type.String({ pattern: SHA256_PATTERN });
/** UTC, to the microsecond. */
const Timestamp = Type.String({
  pattern: INSTANT_PATTERN,
});
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Version = (name: string) => Type.String({ pattern: `^${name}-[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$` });
const Text = Type.String({ pattern: '^[ -~]{1,256}$' });

/** Every verdict of a proof is satisfied. */
const Verdict = Type.Object(
  { verdict: Type.Literal('satisfied'), question: Type.Literal('holds'), engine: Text },
  closed,
);

const Solver = Type.Object(
  {
    /** The npm package, name@version. */
    package: Text,
    /** Version that the solver reports. */
    version: Text,
    wasm_sha256: Sha256,
    /** name=value */
    options: Type.Array(Text, { maxItems: 64 }),
    seed: Count,
    rlimit: Count,
  },
  closed,
);

const CheckName = Type.Union([
  Type.Literal('plan_alignment'),
  Type.Literal('constraints'),
  Type.Literal('evidence'),
  Type.Literal('replay'),
]);

/** A query to the solver. Its SMT-LIB text can be read by its hash. */
const Query = Type.Object({ check: CheckName, rlimit_used: Count, smtlib_sha256: Sha256 }, closed);

const Predicate = Type.Object(
  {
    proof_id: Id,
    verification_id: Id,
    /** When the plan was approved, the execution recorded, and verified, by the database's clock. */
    approved_at: Timestamp,
    received_at: Timestamp,
    verified_at: Timestamp,
    verdicts: Type.Object(
      { plan_alignment: Verdict, constraints: Verdict, evidence: Verdict, replay: Verdict },
      closed,
    ),
    inputs: Type.Object({ inputs_hash: Sha256, intents_hash: Sha256, evidence_hash: Sha256 }, closed),
    pins: Type.Object({ solver: Solver, queries: Type.Array(Query, { maxItems: 8192 }) }, closed),
    /** Number of actions with a response that was computed again, followed by the plan's state machine, or only recorded. */
    assurance: Type.Object(
      {
        recomputed: Count,
        modelled: Count,
        recorded: Count,
        /** Actions without a response, by their outcome. Earlier proofs lack both. */
        failed: Type.Optional(Count),
        unknown: Type.Optional(Count),
        /** States that no tool observes, and whether rules depend on times that actions report. Earlier proofs may lack both. */
        ghost_states: Type.Optional(Type.Array(Id, { maxItems: 256 })),
        reported_times: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    versions: Type.Object(
      {
        policy: Version('tollhouse-verified-execution'),
        receipt: Version('tollhouse-proof-receipt'),
        engine: Version('tollhouse-one-independent-verification'),
      },
      closed,
    ),
    limitation: Type.Literal(LIMITATION),
  },
  closed,
);

const Subject = Type.Object(
  {
    name: Type.String({ pattern: '^(tenant|plan|execution|artifact)/[A-Za-z0-9_.:-]{1,64}$' }),
    digest: Type.Object({ sha256: Sha256 }, closed),
  },
  closed,
);

/** An in-toto Statement, version 1. */
export const Statement = Type.Object(
  {
    _type: Type.Literal('https://in-toto.io/Statement/v1'),
    subject: Type.Array(Subject, { minItems: 3, maxItems: 5000 }),
    predicateType: Type.Union([Type.Literal(PREDICATE_TYPE), Type.Literal(FIRST_PREDICATE_TYPE)]),
    predicate: Predicate,
  },
  closed,
);

export type Predicate = Static<typeof Predicate>;
export type Statement = Static<typeof Statement>;

type IsStatement = (value: unknown) => value is Statement;

/**
 * Reads the payload of an envelope.
 * @param isStatement checks the schema. The default needs no compiled code, which the policy of pages forbids.
 * @throws {ProofError} STATEMENT_MALFORMED
 */
export async function readStatement(
  bytes: Uint8Array,
  isStatement: IsStatement = (value) => Check(Statement, value),
): Promise<Statement> {
  let value: unknown;
  try {
    value = parseRecord(bytes, MAX_STATEMENT_BYTES);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw malformed(`cannot be read: ${error.message}`, error);
  }
  if (!isCanonicalOf(bytes, value)) throw malformed('is not in canonical form');
  if (!isStatement(value)) {
    const { path, message } = shapeFault(Errors(Statement, value)[1]);
    throw malformed(`is not of the form of a proof: ${path} ${message}`);
  }
  assertPredicateType(value);
  await assertSubjects(value.subject);
  return value;
}

/** Proofs of the first receipt version have the first type, and all others the present one. */
function assertPredicateType({ predicateType, predicate }: Statement): void {
  const isFirst = predicate.versions.receipt === FIRST_RECEIPT;
  const expected = isFirst ? FIRST_PREDICATE_TYPE : PREDICATE_TYPE;
  if (predicateType !== expected) throw malformed(`has another predicate type than its receipt version: ${expected}`);
}

/** Checks the order: a tenant with the digest of its id, a plan, an execution, then artifacts by name without repetition. */
async function assertSubjects(subjects: Statement['subject']): Promise<void> {
  const kinds = subjects.map(({ name }) => name.slice(0, name.indexOf('/')));
  const [first, second, third, ...others] = kinds;
  const isBegun = first === 'tenant' && second === 'plan' && third === 'execution';
  const inOrder = isBegun && others.every((kind) => kind === 'artifact');
  const names = subjects.slice(3).map(({ name }) => name);
  const sorted = names.every((name, at) => at === 0 || defined(names[at - 1]) < name);
  if (!inOrder || !sorted) throw malformed('has other subjects than a tenant, a plan, an execution and artifacts');
  const [tenant] = subjects;
  const id = tenant?.name.slice('tenant/'.length);
  if (tenant?.digest.sha256 !== (await digestOf('tenant', id))) throw malformed("has another digest than the tenant's");
}

function malformed(what: string, cause?: unknown): ProofError {
  return new ProofError('STATEMENT_MALFORMED', `the statement ${what}`, { cause });
}

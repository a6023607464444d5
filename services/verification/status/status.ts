import type { Logger } from '../../shared/logger.ts';
import { TOOL_NAMES } from '../../shared/verification/tools.ts';
import type { Database } from '../../store/database.ts';
import { isRevenueFrozen } from '../mutations/revenue-freeze.ts';
import { type Answer, toText } from '../operations/operation.ts';
import { readClock } from '../records/plan-records.ts';
import type { Judge } from '../solver/judge.ts';
import { VERSIONS } from '../versions.ts';
import { FLOW } from './flow.ts';
import { countRecords, probeStorage, readDurability, type WriterLock } from './storage.ts';

const PROBE_MAX_AGE_MS = 5000;
const PROBE_TIMEOUT_MS = 10_000;

export interface StatusDeps {
  readonly database: Database;
  readonly judge: Judge;
  readonly writerLock: WriterLock;
  readonly storage: { readonly mode: 'file' | 'postgres'; readonly source: 'explicit' | 'default' };
  readonly isSandbox: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

interface Probes {
  readonly solver: { readonly ready: boolean; readonly detail: string };
  readonly storage: boolean;
}

/** What the service says of itself; nothing in it is said that could be measured. */
export function createStatus(deps: StatusDeps): () => Promise<Answer> {
  const probe = cached(() => runProbes(deps), deps.now);
  return async () => {
    const { solver, storage } = await probe();
    const facts = await readFacts(deps);
    return { answer: toText(documentOf(deps, { solver, isStored: storage, ...facts })) };
  };
}

/** One probe at a time, and its answer for a while: whoever asks often does not load what is probed. */
function cached(run: () => Promise<Probes>, now: () => number): () => Promise<Probes> {
  let last: { readonly atMs: number; readonly probes: Promise<Probes> } | undefined;
  return () => {
    if (last === undefined || now() - last.atMs > PROBE_MAX_AGE_MS) last = { atMs: now(), probes: run() };
    return last.probes;
  };
}

async function runProbes({ judge, database, now, logger }: StatusDeps): Promise<Probes> {
  const failed = (what: string) => (err: unknown) => logger.warn({ err }, `${what} does not answer as it should`);
  const [solver, storage] = await Promise.all([
    judge.knownProblem({ tenant: 'status', deadlineMs: now() + PROBE_TIMEOUT_MS }).then(
      ({ npmVersion, z3Version }) => ({ ready: true, detail: `${z3Version} of z3-solver ${npmVersion} solves` }),
      (err: unknown) => {
        failed('the solver')(err);
        return { ready: false, detail: 'the solver does not solve a problem whose answer is known' };
      },
    ),
    probeStorage(database).catch((err: unknown) => {
      failed('the store')(err);
      return false;
    }),
  ]);
  return { solver, storage };
}

async function readFacts({ database }: StatusDeps) {
  return {
    durability: await readDurability(database),
    counts: await countRecords(database),
    isFrozen: await isRevenueFrozen(database),
    checkedAt: await database.transaction().execute(readClock),
  };
}

type Facts = Awaited<ReturnType<typeof readFacts>> & {
  readonly solver: Probes['solver'];
  readonly isStored: boolean;
};

function documentOf({ storage, writerLock, isSandbox }: StatusDeps, facts: Facts) {
  const { solver, isStored, durability, counts } = facts;
  const isDurable = isStored && durability.fsync && durability.synchronousCommit;
  return {
    service: 'tollhouse-verified-execution',
    status: !isStored ? 'NOT_READY' : solver.ready ? 'READY' : 'DEGRADED',
    api_version: '1.0.0',
    policy_version: VERSIONS.policy,
    receipt_version: VERSIONS.receipt,
    engine_version: VERSIONS.engine,
    verification_backend: { configured: true, ...solver },
    storage: {
      mode: storage.mode,
      durable: isDurable,
      source: storage.source,
      single_writer_attested: writerLock.isHeld(),
      production_safe: isDurable && !isSandbox,
      records: { plans: counts.plans, executions: counts.executions, proofs: counts.proofs },
    },
    guarded_mutation_storage: {
      backend: storage.mode,
      table: 'guarded_mutation',
      durable: isDurable,
      tenant_bound: true,
      unique_on: ['tenant_id', 'idempotency_key'],
      read_back_in_write_transaction: true,
      rows: counts.mutations,
    },
    revenue_writes_frozen: facts.isFrozen,
    independent_verification: {
      verdicts_accepted_from_agent: false,
      computed_by: 'services/verification',
      engine_version: VERSIONS.engine,
      statement:
        'Plan alignment, constraints, evidence and replay are worked out again from the stored plan, actions and artifacts.',
    },
    flow: FLOW,
    mcp: { endpoint: '/api/v1/mcp', transport: 'http-json-rpc', protocol_version: '2025-06-18', tools: TOOL_NAMES },
    checked_at: facts.checkedAt,
  };
}

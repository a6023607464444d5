import { TOOL_NAMES } from '../contract/tools.ts';
import { VERSIONS } from '../contract/versions.ts';
import { FLOW } from './flow.ts';
import { isGuard } from './guarded-table.ts';
import type { StoreMeasurement } from './measure-store.ts';
import type { RecordCounts } from './storage.ts';

/** Figures that change only while the store answers. They are of the time of the measurement. */
export interface KnownRecords {
  readonly checkedAt: string;
  readonly counts: RecordCounts;
  readonly isFrozen: boolean;
}

export interface SolverState {
  /** Whether the solver has the pins that proofs name. */
  readonly configured: boolean;
  readonly ready: boolean;
  readonly detail: string;
}

export interface DocumentFacts {
  readonly storage: { readonly mode: 'file' | 'postgres'; readonly source: 'explicit' | 'default' };
  readonly isSandbox: boolean;
  readonly solver: SolverState;
  readonly store: StoreMeasurement;
  readonly known: KnownRecords;
  readonly checkedAt: string;
  /** Whether the store is busy, and what it showed at `checkedAt` is repeated. */
  readonly isRepeated: boolean;
}

/** Creates the status document. A value that could not be measured is false, null or an empty list. */
export function documentOf({ storage, isSandbox, solver, store, known, checkedAt, isRepeated }: DocumentFacts) {
  const { table, write, counts, isFrozen } = store;
  const isDurable = store.isDurable === true && store.isCommitted === true && table?.isPermanent === true;
  const isTenantBound = table?.isTenantBound === true && write?.isHidden === true;
  const isGuarded = table !== undefined && isGuard(table.uniqueOn) && write?.isTakenOnce === true;
  const isReadBack = write?.isReadBack === true;
  const isMeasured = counts !== undefined && isFrozen !== undefined;
  const isReady = isMeasured && store.isCommitted === true && isTenantBound && isGuarded && isReadBack;
  const { plans, executions, proofs, mutations } = known.counts;
  return {
    service: 'tollhouse-verified-execution',
    status: !isReady ? 'NOT_READY' : solver.ready && solver.configured ? 'READY' : 'DEGRADED',
    api_version: '1.0.0',
    policy_version: VERSIONS.policy,
    receipt_version: VERSIONS.receipt,
    engine_version: VERSIONS.engine,
    verification_backend: {
      configured: solver.configured,
      ready: solver.ready,
      detail: [solver.detail, ...faultsOf({ isMeasured, isRepeated, known, checkedAt })].join('; '),
    },
    storage: {
      mode: storage.mode,
      durable: isDurable,
      source: storage.source,
      single_writer_attested: store.isSingleWriter === true,
      production_safe: isDurable && !isSandbox,
      records: { plans, executions, proofs },
    },
    guarded_mutation_storage: {
      backend: storage.mode,
      table: table?.table ?? null,
      durable: isDurable,
      tenant_bound: isTenantBound,
      unique_on: table === undefined || write?.isTakenOnce === false ? [] : table.uniqueOn,
      read_back_in_write_transaction: isReadBack,
      rows: mutations,
    },
    revenue_writes_frozen: known.isFrozen,
    independent_verification: {
      verdicts_accepted_from_agent: false,
      computed_by: 'services/verification',
      engine_version: VERSIONS.engine,
      statement:
        'Plan alignment, constraints, evidence and replay are worked out again from the stored plan, actions and artifacts.',
    },
    flow: FLOW,
    mcp: { endpoint: '/api/v1/mcp', transport: 'http-json-rpc', protocol_version: '2025-06-18', tools: TOOL_NAMES },
    checked_at: checkedAt,
  };
}

interface Age extends Pick<DocumentFacts, 'known' | 'checkedAt' | 'isRepeated'> {
  readonly isMeasured: boolean;
}

/** What of the document is not of now. */
function faultsOf({ isMeasured, isRepeated, known, checkedAt }: Age): readonly string[] {
  if (isRepeated) return [`the store is busy: what it showed at ${checkedAt} is repeated`];
  if (isMeasured) return [];
  return [`the store does not answer: records, rows and revenue_writes_frozen are those of ${known.checkedAt}`];
}

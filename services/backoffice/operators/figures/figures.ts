import type {
  LedgerFigures,
  PartFault,
  ReadFiguresResponse,
} from '../../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { LedgerStore } from '../../../ledger/service/ledger-service.ts';
import type { TrialLedger } from '../../../ledger/store/trial-ledger.ts';
import { atMostOnce } from '../../../platform/at-most-once.ts';
import { within } from '../../../platform/within.ts';
import { readCallFreeze } from '../../../store/call-freeze.ts';
import type { Database } from '../../../store/database.ts';
import {
  readCreditFigures,
  readDatabaseBytes,
  readJobFigures,
  readObligationFigures,
  readPostgresFigures,
  readRetentionFigures,
} from './database-figures.ts';
import { toFreezeState } from './freeze-state.ts';

export type Figures = Omit<ReadFiguresResponse, 'operator'>;

/** What is known once the ledger is open. */
export interface OpenLedger {
  readonly ledger: LedgerStore & Pick<TrialLedger, 'figures'>;
  /** CAIP-2. */
  readonly network: string;
}

export interface FiguresOptions {
  readonly database: Database;
  /** Undefined until the ledger is open. */
  readonly openLedger: () => OpenLedger | undefined;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
}

const FRESH_MS = 1000;
/** For figures that read more than a few rows. */
const COSTLY_FRESH_MS = 15_000;
const PART_TIMEOUT_MS = 2000;
const MAX_MESSAGE = 200;

/** Reads the figures of all stores. What cannot be read in time is left out and named, so that the rest is there. */
export function createFigures({ database, openLedger, monotonicMs }: FiguresOptions) {
  const costly = <Result>(work: () => Promise<Result>) => atMostOnce({ freshMs: COSTLY_FRESH_MS, monotonicMs }, work);
  const retention = costly(() => readRetentionFigures(database));
  const databaseBytes = costly(() => readDatabaseBytes(database));
  const credit = costly(async () => readCreditFigures(database, opened(openLedger).network));

  async function readLedger(): Promise<LedgerFigures> {
    const figures = await opened(openLedger).ledger.figures();
    return {
      day: figures.dayUtc,
      usedMicroUsd: figures.usedMicroUsd,
      openReservations: figures.open,
      reservedMicroUsd: figures.reservedMicroUsd,
      oldestAtMs: BigInt(figures.oldestAtMs ?? 0),
    };
  }

  async function read(): Promise<Figures> {
    const faults: PartFault[] = [];
    const part = async <Result>(name: keyof Figures, work: () => Promise<Result>): Promise<Result | undefined> => {
      try {
        return await within(work(), PART_TIMEOUT_MS, late);
      } catch (error) {
        faults.push({ part: name, message: messageOf(error) });
        return undefined;
      }
    };
    const [calls, postgres, jobs, obligations, ledger, given, retained] = await Promise.all([
      part('calls', async () => toFreezeState(await readCallFreeze(database))),
      part('postgres', async () => ({
        ...(await readPostgresFigures(database)),
        usedBytes: await databaseBytes(),
      })),
      part('jobs', () => readJobFigures(database)),
      part('obligations', () => readObligationFigures(database)),
      part('ledger', readLedger),
      part('credit', credit),
      part('retention', retention),
    ]);
    return { calls, postgres, jobs, obligations, ledger, credit: given, retention: retained, faults };
  }

  return atMostOnce({ freshMs: FRESH_MS, monotonicMs }, read);
}

function opened(openLedger: FiguresOptions['openLedger']): OpenLedger {
  const ledger = openLedger();
  if (ledger === undefined) throw new Error('the ledger is not open yet: the payments service has not answered');
  return ledger;
}

function late(): never {
  throw new Error(`no answer in ${PART_TIMEOUT_MS} ms`);
}

function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_MESSAGE);
}

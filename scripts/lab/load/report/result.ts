import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import type { Capacity } from '../measure/capacity.ts';
import type { StepResult } from '../measure/step-result.ts';

/** What the ledger of our own product looks like after the load. */
export interface Aftermath {
  /** Differences that `ledger audit` found. */
  readonly violations: number;
  /** Reservations without an end. */
  readonly pending: number;
}

/** A whole run, as it is written to JSON. NaN becomes null. */
export interface LoadResult {
  readonly format: 1;
  readonly startedAt: string;
  readonly origin: string;
  readonly mix: string;
  readonly machine: { readonly cpus: number; readonly model: string; readonly node: string };
  readonly pageBytes: number;
  readonly threads: number;
  readonly connections: number;
  readonly steps: readonly StepResult[];
  readonly capacity: Capacity | undefined;
  /** Undefined for a product that was not started for the load. */
  readonly aftermath: Aftermath | undefined;
}

const Figure = Type.Union([Type.Number(), Type.Null()]);
const Earlier = Type.Object({
  format: Type.Literal(1),
  startedAt: Type.String(),
  mix: Type.String(),
  steps: Type.Array(
    Type.Object({
      name: Type.String(),
      goodPerSecond: Figure,
      other: Type.Number(),
      latencies: Type.Object({ p50: Figure, p99: Figure }),
      processes: Type.Record(Type.String(), Type.Object({ cpuMsPerCall: Figure })),
    }),
  ),
  capacity: Type.Optional(Type.Object({ ratePerSecond: Type.Number() })),
});

/** The part of an earlier result that is compared. */
export type EarlierResult = Type.Static<typeof Earlier>;

const parseEarlier = createJsonReader(Earlier, 'the earlier report');

/** @throws {Error} if the file is not the JSON of an earlier run */
export const readEarlier = (path: string): EarlierResult => parseEarlier(readFileSync(path, 'utf8'));

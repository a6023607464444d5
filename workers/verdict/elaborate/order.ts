import type { ActionDocument } from '../../exact/action-schema.ts';
import { parseInstant } from '../../exact/instants.ts';

/** When an action was done, as it reports: microseconds since the epoch. */
export interface Span {
  readonly started: bigint;
  /** Undefined if its outcome is unknown: it may still take effect. */
  readonly ended: bigint | undefined;
}

/** @throws {DocumentError} MALFORMED_VALUE for a time that does not exist */
export const spanOf = (record: ActionDocument | undefined, path: string): Span | undefined =>
  record && {
    started: parseInstant(record.started_at, `${path}/started_at`),
    ended: record.outcome === 'unknown' ? undefined : parseInstant(record.ended_at, `${path}/ended_at`),
  };

/**
 * Whether an action has ended when one that comes later in the list starts, or at the same time. An intent has no times, so
 * the list decides.
 */
export const isOver = (earlier: Span | undefined, later: Span | undefined): boolean =>
  earlier === undefined || later === undefined || (earlier.ended !== undefined && earlier.ended <= later.started);

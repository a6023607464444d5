import { type Fold, foldText } from '../../../workers/exact/fold-text.ts';
import type { ToolLimit } from '../../../workers/exact/tool-schema.ts';
import type { ServiceError } from '../../platform/grpc/service-error.ts';
import { foldToolName } from '../catalogue/fold-tool-name.ts';
import { digestBytes } from '../proof/digests.ts';
import { malformed } from '../tenants/requests.ts';
import { readUnits, type Units } from './amounts.ts';

/** A limit of a tool. */
export interface LimitOfTool {
  readonly tool: string;
  readonly limit: ToolLimit;
  /** How the same description folds the argument of `limit.per`: all spellings of a text share a counter. */
  readonly fold: Fold | undefined;
}

/** What is counted: versions of a tool, and limits that differ in `most` only, share a counter. */
export interface Counter {
  readonly toolFolded: string;
  /** Empty: acts are counted. */
  readonly summed: string;
  /** Empty: one counter for all acts. */
  readonly per: string;
  /** SHA-256 of the argument's value. */
  readonly perValue: string;
  readonly within: ToolLimit['within'];
}

export const keyOf = ({ toolFolded, summed, per, perValue, within }: Counter): string =>
  [toolFolded, summed, per, perValue, within].join(' ');

/** An act of a tool with limits. */
export interface LimitedAct {
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: readonly LimitOfTool[];
  /** JSON pointer to the action, for messages. */
  readonly path: string;
}

export interface Charge extends LimitOfTool {
  readonly counter: Counter;
  /** A negative amount counts as zero: it must not make room for another act. */
  readonly amount: Units;
}

export const ONE_ACT = 10n ** 18n;

/** What an act adds to the counters of its limits. @throws {ServiceError} MALFORMED_INPUT for an act that cannot be counted */
export function chargesOf(act: LimitedAct): readonly Charge[] {
  return act.limits.map(({ tool, limit, fold }) => {
    const amount = limit.of === null ? ONE_ACT : amountOf(act, limit, limit.of);
    const counter = counterOf(tool, limit, perValueOf(act, limit, fold));
    return { tool, limit, fold, counter, amount: amount < 0n ? 0n : amount };
  });
}

export function counterOf(tool: string, { of, per, within }: ToolLimit, perValue: string): Counter {
  return { toolFolded: foldToolName(tool), summed: of ?? '', per: per ?? '', perValue, within };
}

function amountOf({ args, path }: LimitedAct, limit: ToolLimit, name: string): Units {
  const amount = Object.hasOwn(args, name) ? readUnits(args[name]) : undefined;
  if (amount !== undefined) return amount;
  throw uncounted(`${path}/args/${name}`, limit, 'must be a number');
}

function perValueOf({ args, path }: LimitedAct, limit: ToolLimit, fold: Fold | undefined): string {
  const { per } = limit;
  if (per === null) return '';
  const value = Object.hasOwn(args, per) ? args[per] : undefined;
  if (typeof value === 'string' && fold !== undefined) return digestBytes(Buffer.from(foldText(value, fold)));
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
  if (isScalar) return digestBytes(Buffer.from(String(value)));
  throw uncounted(`${path}/args/${per}`, limit, 'must be a string, an integer or a boolean');
}

function uncounted(path: string, { id }: ToolLimit, message: string): ServiceError {
  return malformed(path, `${message}: it is counted for the limit ${id}`);
}

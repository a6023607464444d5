import { toMicroseconds } from '../../../exact/durations.ts';
import { MAX_RESERVE_SECONDS, type PlanDocument } from '../../../exact/plan-schema.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readTime } from '../types/read-value.ts';
import { type Fields, quote } from '../yaml/fields.ts';
import { asScalar, type TextNode } from '../yaml/text-node.ts';

type Header = Pick<
  PlanDocument,
  'title' | 'expires_at' | 'max_executions' | 'max_recorded' | 'outcomes' | 'reserve' | 'supersedes' | 'approvals'
>;

const MAX_TITLE = 200;

/** The parts of a plan that are single values. A part that is left out has its strictest value. */
export function readHeader(fields: Fields, log: FaultLog): Header {
  return {
    title: log.attempt(() => readTitle(fields.require('plan', 'plan: Pay the approved invoices'))) ?? '',
    expires_at: log.attempt(() => readTime(fields.require('expires', 'expires: 2099-12-31T00:00:00Z'))) ?? '',
    max_executions: readCount(fields.get('executions'), { min: 1, max: 1000, fallback: 1 }, log),
    max_recorded: readCount(fields.get('recorded'), { min: 0, max: 1000, fallback: 0 }, log),
    approvals: readCount(fields.get('approvals'), { min: 1, max: 8, fallback: 1 }, log),
    supersedes: log.attempt(() => readSuperseded(fields.get('supersedes'))) ?? null,
    ...log.attempt(() => readOutcomes(fields.get('outcomes'))),
    ...log.attempt(() => readReserve(fields.get('reserve'))),
  };
}

function readTitle(node: TextNode): string {
  const { text, at } = asScalar(node, 'what the plan does, in a few words');
  if (text.length <= MAX_TITLE && !text.includes('\n')) return text;
  throw new TextError('OUT_OF_RANGE', at, `the title has at most ${MAX_TITLE} characters, on one line`);
}

function readOutcomes(node: TextNode | undefined): Pick<Header, 'outcomes'> {
  if (node === undefined) return {};
  const { text, at } = asScalar(node, 'done');
  if (text === 'done') return { outcomes: 'done' };
  throw new TextError('UNKNOWN_VALUE', at, `outcomes can only be done, not ${quote(text)}`);
}

function readReserve(node: TextNode | undefined): Pick<Header, 'reserve'> {
  if (node === undefined) return {};
  const { text, at } = asScalar(node, 'how long: 10m');
  const seconds = Number(toMicroseconds(text)) / 1_000_000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_RESERVE_SECONDS) return { reserve: seconds };
  throw new TextError('OUT_OF_RANGE', at, `${quote(text)} is not whole seconds from 1s to 1h: write 10m`);
}

function readSuperseded(node: TextNode | undefined): string | null {
  if (node === undefined) return null;
  const { text, at } = asScalar(node, 'the id of a plan');
  if (/^[A-Za-z0-9_.:-]{1,64}$/.test(text)) return text;
  throw new TextError('MALFORMED_NAME', at, `${quote(text)} is not the id of a plan`);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** The number where the text has none. */
  readonly fallback: number;
}

/** A whole number. A fault is logged. */
export function readCount(
  node: TextNode | undefined,
  { min, max, fallback }: Bounds,
  log: FaultLog,
  what = 'a number',
): number {
  const count = log.attempt(() => {
    if (node === undefined) return fallback;
    const { text, at } = asScalar(node, `${what} from ${min} to ${max}`);
    if (/^(?:0|[1-9][0-9]{0,6})$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new TextError('OUT_OF_RANGE', at, `${quote(text)} is not ${what} from ${min} to ${max}`);
  });
  return count ?? fallback;
}

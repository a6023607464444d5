import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defined } from '../../../workers/exact/defined.ts';
import type { StepPlan } from './generator/generator.ts';
import type { Limits } from './measure/capacity.ts';
import { isScenarioName, SCENARIO_NAMES, type Weighted } from './scenarios/index.ts';

export const USAGE = `usage: npm run load -- [SCENARIO[=WEIGHT],…] [options]

Sends calls at fixed times and measures the latency from the time when each call should have been sent. Without --url, it
starts a product of its own, as npm start does, on a new data folder.

SCENARIO is ${SCENARIO_NAMES.join(', ')}; trial by default. Several make a mix, such as trial=6,geocode=2,probe=2.

  --rate R[,R…]        steps with so many calls a second
  --in-flight N[,N…]   steps with so many calls in flight; the next call is sent when one ends
  --find-capacity R    starts at R calls a second and raises the rate until a limit breaks
  --overload F[,F…]    after the search, steps at so many times the capacity
  --seconds S          length of a step (10)
  --warm-up S          seconds of the first rate or number in flight that are not counted (5)
  --p99 MS             the limit of the search for the 99th percentile (500)
  --other PERCENT      the limit of the search for other answers than the wanted one (1)
  --visitors R         runs each step twice: alone, and beside R requests a second for pages of the site
  --page FILE          the page for html-to-markdown; a page of 2 KB by default
  --threads N          threads that sign and send (1)
  --connections N      connections at most (512)
  --channels N         payment channels that take turns; a call waits until one is free (as many as calls in flight; 64 with rates)
  --expect R           calls a second that are prepared for a step in flight (1500)
  --seed N             chooses the bodies and the order of a mix (1)
  --url ORIGIN         a product that runs already. It needs RATE_LIMIT_PER_MINUTE=0 and MAX_CONNECTIONS_PER_CLIENT=0
  --remote --yes-load-a-remote-server
                       both are needed for an ORIGIN that is not this machine
  --agent-key KEY --approver-key KEY
                       keys for verified, with --url
  --json FILE          writes all figures
  --html FILE          writes a report with plots, as one page
  --against FILE       compares with the JSON of an earlier run
  --beside REF         measures the product of a commit and that of this checkout in turns, each scenario of the list and each
                       --in-flight alone, and gives the ratios; needs Linux and git, and package-lock.json as in the commit
  --floor              measures trials and the smallest product of this architecture in turns, a hundred calls of each at a
                       time, each --in-flight alone, and gives the ratios; needs Linux
  --rounds N           rounds of each side with --beside and --floor; an even number lets each side begin as often (6)

Exit codes: 0 success; 1 failure, such as an audit of the ledger that found differences; 2 wrong arguments.`;

/** A wrong argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Options {
  readonly mix: readonly Weighted[];
  readonly steps: readonly StepPlan[];
  readonly search: { readonly from: number; readonly limits: Limits } | undefined;
  readonly overload: readonly number[];
  readonly stepMs: number;
  readonly warmUpMs: number;
  /** Pages a second. Undefined: none. */
  readonly visitors: number | undefined;
  readonly page: string;
  readonly threads: number;
  readonly connections: number;
  readonly channels: number;
  readonly expectedPerSecond: number | undefined;
  readonly seed: number;
  readonly url: string | undefined;
  readonly isRemoteAllowed: boolean;
  readonly keys: { readonly agent: string; readonly approver: string } | undefined;
  readonly json: string | undefined;
  readonly html: string | undefined;
  readonly against: string | undefined;
  readonly beside: Beside | undefined;
  /** Undefined: the floor is not measured. */
  readonly floor: { readonly rounds: number } | undefined;
}

/** A commit that is measured in turns with this checkout. */
export interface Beside {
  readonly ref: string;
  readonly rounds: number;
  /** Undefined: as many as calls in flight. */
  readonly channels: number | undefined;
}

const OPTIONS = {
  rate: { type: 'string' },
  'in-flight': { type: 'string' },
  'find-capacity': { type: 'string' },
  overload: { type: 'string' },
  seconds: { type: 'string', default: '10' },
  'warm-up': { type: 'string', default: '5' },
  p99: { type: 'string', default: '500' },
  other: { type: 'string', default: '1' },
  visitors: { type: 'string' },
  page: { type: 'string' },
  threads: { type: 'string', default: '1' },
  connections: { type: 'string', default: '512' },
  channels: { type: 'string' },
  expect: { type: 'string' },
  seed: { type: 'string', default: '1' },
  url: { type: 'string' },
  remote: { type: 'boolean', default: false },
  'yes-load-a-remote-server': { type: 'boolean', default: false },
  'agent-key': { type: 'string' },
  'approver-key': { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
  against: { type: 'string' },
  beside: { type: 'string' },
  floor: { type: 'boolean', default: false },
  rounds: { type: 'string' },
} as const;

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const stepMs = number('--seconds', values.seconds, { least: 1, most: 7200 }) * 1000;
  const rates = numbers('--rate', values.rate, { least: 0.1, most: 100_000 });
  const flights = numbers('--in-flight', values['in-flight'], { least: 1, most: 100_000 });
  const from = values['find-capacity'];
  const search =
    from === undefined
      ? undefined
      : {
          from: number('--find-capacity', from, { least: 0.1, most: 100_000 }),
          limits: {
            p99Ms: number('--p99', values.p99, { least: 1, most: 600_000 }),
            otherShare: number('--other', values.other, { least: 0, most: 100 }) / 100,
          },
        };
  const overload = numbers('--overload', values.overload, { least: 0.1, most: 100 });
  if (overload.length > 0 && search === undefined) throw new UsageError('--overload needs --find-capacity');
  const open = rates.map((ratePerSecond) => ({ kind: 'open' as const, ratePerSecond, durationMs: stepMs }));
  const closed = flights.map((inFlight) => ({ kind: 'closed' as const, inFlight, durationMs: stepMs }));
  const steps = [...closed, ...open];
  if (steps.length === 0 && search === undefined) throw new UsageError('give --rate, --in-flight or --find-capacity');
  const mix = readMix(positionals);
  const beside = readBeside(values, mix);
  const floor = readFloor(values, mix);
  const [agent, approver] = [values['agent-key'], values['approver-key']];
  return {
    mix,
    steps,
    search,
    overload,
    stepMs,
    warmUpMs: number('--warm-up', values['warm-up'], { least: 0, most: 600 }) * 1000,
    visitors:
      values.visitors === undefined ? undefined : number('--visitors', values.visitors, { least: 0.1, most: 1000 }),
    page: values.page === undefined ? defaultPage() : readFileSync(values.page, 'utf8'),
    threads: integer('--threads', values.threads, 64),
    connections: integer('--connections', values.connections, 20_000),
    channels: integer('--channels', values.channels ?? String(channelsFor(steps, search !== undefined)), MAX_CHANNELS),
    expectedPerSecond:
      values.expect === undefined ? undefined : number('--expect', values.expect, { least: 1, most: 100_000 }),
    seed: integer('--seed', values.seed, Number.MAX_SAFE_INTEGER),
    url: values.url === undefined ? undefined : readOrigin(values.url),
    isRemoteAllowed: values.remote && values['yes-load-a-remote-server'],
    keys: agent === undefined || approver === undefined ? undefined : { agent, approver },
    json: values.json,
    html: values.html,
    against: values.against,
    beside,
    floor,
  };
}

/** What `--beside` cannot be combined with: it starts both products, and compares calls in flight. */
const NOT_BESIDE = [
  'rate',
  'find-capacity',
  'visitors',
  'url',
  'agent-key',
  'approver-key',
  'html',
  'against',
] as const satisfies readonly (keyof typeof OPTIONS)[];
const ROUNDS = '6';
const MAX_ROUNDS = 100;

function readBeside(values: ReturnType<typeof parse>['values'], mix: readonly Weighted[]): Beside | undefined {
  const { beside: ref, rounds, channels } = values;
  if (ref === undefined) {
    if (rounds !== undefined && !values.floor) throw new UsageError('--rounds needs --beside or --floor');
    return undefined;
  }
  const refused = NOT_BESIDE.filter((name) => values[name] !== undefined);
  if (refused.length > 0) throw new UsageError(`--beside cannot be combined with --${refused.join(', --')}`);
  const weighted = mix.find(({ weight }) => weight !== 1);
  if (weighted !== undefined) throw new UsageError(`--beside measures ${weighted.name} alone: leave out its weight`);
  if (new Set(mix.map(({ name }) => name)).size < mix.length) throw new UsageError('a scenario is named twice');
  return {
    ref,
    rounds: integer('--rounds', rounds ?? ROUNDS, MAX_ROUNDS),
    channels: channels === undefined ? undefined : integer('--channels', channels, MAX_CHANNELS),
  };
}

function readFloor(values: ReturnType<typeof parse>['values'], mix: readonly Weighted[]): Options['floor'] {
  if (!values.floor) return undefined;
  const refused = ([...NOT_BESIDE, 'beside'] as const).filter((name) => values[name] !== undefined);
  if (refused.length > 0) throw new UsageError(`--floor cannot be combined with --${refused.join(', --')}`);
  if (mix.some(({ name }) => name !== 'trial')) throw new UsageError('--floor measures trials');
  return { rounds: integer('--rounds', values.rounds ?? ROUNDS, MAX_ROUNDS) };
}

/** Channels if calls arrive at a rate: how many a rate needs is not known ahead. */
const CHANNELS = 64;
const MAX_CHANNELS = 100_000;

/** As many channels as calls in flight. */
const channelsFor = (steps: readonly StepPlan[], isSearch: boolean): number =>
  Math.max(isSearch ? CHANNELS : 1, ...steps.map((step) => (step.kind === 'closed' ? step.inFlight : CHANNELS)));

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function number(option: string, text: string, { least, most }: Range): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${text}: it must be a number from ${least} to ${most}`);
}

function integer(option: string, text: string, most: number): number {
  const value = number(option, text, { least: 1, most });
  if (Number.isInteger(value)) return value;
  throw new UsageError(`${option} is ${text}: it must be a whole number`);
}

const numbers = (option: string, text: string | undefined, range: Range): readonly number[] =>
  text === undefined ? [] : text.split(',').map((part) => number(option, part, range));

function readMix(positionals: readonly string[]): readonly Weighted[] {
  const [text = 'trial', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`one argument names the scenarios: ${[text, ...rest].join(',')}`);
  return text.split(',').map((part) => {
    const [given, weight = '1'] = part.split('=');
    const name = defined(given);
    if (!isScenarioName(name)) throw new UsageError(`there is no scenario ${name}`);
    return { name, weight: number(`the weight of ${name}`, weight, { least: 0.001, most: 1_000_000 }) };
  });
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw new UsageError(`--url is ${text}: it must be an origin such as http://127.0.0.1:8402`);
}

/** A page of about 2 KB. */
export function defaultPage(): string {
  const paragraph =
    '<p>A <b>toll house</b> stood at the gate of a <a href="/turnpike">turnpike road</a>. Travelers paid there.</p>';
  return `<article><h1>Toll houses</h1>${paragraph.repeat(18)}</article>`;
}

import { defined } from '../../../../workers/exact/defined.ts';
import { numbersOf, type StepNumber } from '../../../../workers/plan/bounds/step-ranges.ts';
import { scaleOf } from '../../../../workers/plan/language/types.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { describeAmount } from '../../../../workers/plan/view/words/amount.ts';
import { planOf, textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { textOf, useOf } from '../../../models/sheets.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..)", fee: "decimal(2, 0..5.00)", loose: decimal(2), back: "decimal(2, -9.00..-1.00)", who: string(8), code: string(8), n: int, x: int, k: "int(-5..20)", low: "decimal(2, -1.50..)" }
    responds: { id: string(64), got: "decimal(2, 0..)", rest: decimal(2), most: "int(..12)", free: int }
    post: { within: response.rest <= 7.00 && response.rest >= -1.00 }
    identity: id
    amounts: args.m in EUR
  tick@1.0.0:
    effect: write
    args: { n: "int(0..)", d: int, k: "int(-5..20)", who: string(8) }
    responds: { id: string(64), most: "int(..12)" }
  take@1.0.0:
    effect: revenue_write
    replay: effects
    args: { m: "decimal(2, 0..)" }
    responds: { id: string(64), rest: decimal(2) }
    identity: id
    state: { pool: decimal(2) }
    effects: { pool: state.pool - args.m }
    observe: { pool: rest }
    amounts: args.m in EUR
`);

export interface Case {
  readonly where?: string;
  /** `done`: every act has a response. */
  readonly outcomes?: string;
  readonly rules?: readonly string[];
  readonly part?: readonly [string, string];
  readonly state?: string;
  readonly effects?: string;
  /** Effects of the step `tick`. */
  readonly ticks?: string;
  readonly times?: string;
  readonly tool?: string;
  /** What a sheet is for, and its number `v`. */
  readonly sheet?: readonly [scope: string, v: unknown];
}

const SHEET = {
  sheet_format: 1,
  name: 's',
  version: '1.0.0',
  title: 'T',
  variables: { v: { type: 'int', min: '-9' }, f: { type: 'int' } },
  constraints: [{ id: 'c', expr: ['and', ['<=', ['var', 'v'], 8], ['<=', ['var', 'v'], ['var', 'f']]] }],
};

/** The plan of a case, its step `pay` and a number of it. */
export function numberIn(one: Case) {
  const { where = 'true', rules = [], part = ['arg', 'm'], times = '0..4', tool = 'pay@1' } = one;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
${one.outcomes === undefined ? '' : `outcomes: ${one.outcomes}\n`}given: { flag: true, most: 3, cap: 30.00 }
state: ${one.state ?? '{}'}
tables:
  t: { key: who, columns: { who: string(8), top: decimal(2), odd: decimal(3), b: int }, rows: [{ who: a, top: 7.00, odd: 7.777, b: 4 }, { who: b, top: 9.00, odd: 1.005, b: -3 }, { who: c, top: -4.00, odd: 0.001, b: 11 }] }
  two: { key: [who, code], columns: { who: string(8), code: string(8), top: decimal(2) }, rows: [{ who: a, code: x, top: 7.00 }, { who: a, code: y, top: 9.00 }] }
  none: { key: who, columns: { who: string(8), top: decimal(2), b: int }, rows: [] }
  far: { key: n, columns: { n: int }, rows: [{ n: 9 }] }
  keyed: { key: n, columns: { n: int, who: string(8), b: int }, rows: [{ n: 5, who: a, b: 1 }, { n: 2, who: b, b: 0 }] }
steps:
  tick: { tool: tick@1, times: 0..3, effects: ${one.ticks ?? '{}'} }
  pay: { tool: ${tool}, times: ${times}, where: ${JSON.stringify(where)}, effects: ${one.effects ?? '{}'} }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
  const sheets = one.sheet === undefined ? [] : [useOf(SHEET, one.sheet[0], { v: one.sheet[1], f: ['var', 'most'] })];
  const read = readPlan({ ...plan, sheets }, [textOf(SHEET)], { tools: textsOf(TOOLS), tables: [] });
  const step = defined(read.steps.find(({ stepId }) => stepId === 'pay'));
  const number = defined(numbersOf(step).find(({ scope, name }) => scope === part[0] && name === part[1]));
  return { plan: read, step, number };
}

export const write = (limit: bigint | undefined, { type }: StepNumber, none: string) =>
  limit === undefined ? none : describeAmount(limit, scaleOf(type));

import { MAX_RUN_ACTIONS, type StepDocument } from '../../../exact/plan-schema.ts';
import type { Scoped } from '../../language/terms.ts';
import type { ValueType } from '../../language/types.ts';
import { type TextScope, withNames } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { findTool } from '../tools/find-tool.ts';
import type { KnownTool } from '../tools/known-tool.ts';
import { readEffects } from '../tools/read-effects.ts';
import { readRules } from '../tools/read-rules.ts';
import { readTimes } from '../types/read-times.ts';
import { type Fields, quote, readFields, readIdentifiers, unknownName } from '../yaml/fields.ts';
import { asMap, asScalar, itemsOf, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import type { Names } from './names.ts';
import { readEvidence } from './read-evidence.ts';

/** A step whose tool and number are read. Its expressions are read when all names are known. */
export interface StepText {
  readonly key: ScalarNode;
  readonly fields: Fields;
  readonly tool: KnownTool;
  readonly min: number;
  readonly max: number;
}

const PARTS = ['tool', 'times', 'where', 'after', 'overlaps', 'effects', 'evidence'];

/** Reads the heads of steps: `pay: { tool: bank.transfer@2, times: 0..200 … }`. */
export function readStepTexts(
  node: TextNode,
  tools: readonly KnownTool[],
  names: Names,
  log: FaultLog,
): readonly StepText[] {
  const entries = readIdentifiers(node, 'steps by name', log);
  const steps = log.each(entries, ({ key, value }): StepText => {
    names.take(key, 'a step', log);
    const fields = readFields(value, PARTS, `the step ${key.text}`, log);
    const times = log.attempt(() => readTimes(fields.require('times', 'times: 1, or times: 0..20'), MAX_RUN_ACTIONS));
    const tool = findTool(asScalar(fields.require('tool', 'tool: order.get@1'), 'a tool and its version'), tools);
    return { key, fields, tool, ...(times ?? { min: 0, max: 1 }) };
  });
  if (entries.length === 0) log.add('MISSING_PART', node.at, 'the plan has no step: add one under steps');
  return steps;
}

export const namesOf = ({ tool }: StepText): Scoped<ValueType> => ({ arg: tool.args, resp: tool.responds });

export interface StepContext {
  readonly steps: readonly StepText[];
  readonly stepNames: readonly string[];
  readonly names: Names;
  /** What expressions about one action may use, besides its own names. */
  readonly scope: TextScope;
}

/** Reads a step's conditions, order, effects and evidence. Faults are logged. */
export function readStep(step: StepText, { steps, stepNames, names, scope }: StepContext, log: FaultLog): StepDocument {
  const { key, fields, tool, min, max } = step;
  const inside = withNames(scope, namesOf(step));
  const overlaps = readOverlaps(fields.get('overlaps'), stepNames, log);
  return {
    step_id: key.text,
    tool: `${tool.name}@${tool.version}`,
    where: readRules(fields.get('where'), 'where', withNames(scope, { arg: tool.args }), log),
    after: readAfter(fields.get('after'), { key, steps, stepNames }, log),
    ...(overlaps.length === 0 ? {} : { overlaps: [...overlaps] }),
    effects: readEffects(fields.get('effects'), inside, log),
    min,
    max,
    evidence: readEvidence(fields.get('evidence'), names, inside, log),
  };
}

interface Order {
  readonly key: ScalarNode;
  readonly steps: readonly StepText[];
  readonly stepNames: readonly string[];
}

/** Reads `[look]`, `{ approve: 2 }` and `{ page: if_done }`. */
function readAfter(node: TextNode | undefined, order: Order, log: FaultLog): { step: string; at_least: number }[] {
  if (node === undefined) return [];
  const after = new Map<string, number>();
  for (const item of itemsOf(node)) {
    const parts = item.kind === 'map' ? item.entries : [{ key: item, value: undefined }];
    for (const part of parts) {
      const read = log.attempt(() => readBefore(part.key, part.value, order));
      if (read === undefined) continue;
      if (after.has(read.step)) log.add('DUPLICATE_NAME', part.key.at, `${read.step} is listed twice: delete one`);
      after.set(read.step, read.at_least);
    }
  }
  return [...after].map(([step, at_least]) => ({ step, at_least }));
}

/** Reads `[pay]`: the steps that may be done at the same time, although they share a state. */
function readOverlaps(node: TextNode | undefined, stepNames: readonly string[], log: FaultLog): readonly string[] {
  const named = new Set<string>();
  for (const item of node === undefined ? [] : itemsOf(node)) {
    const name = asScalar(item, 'the name of a step');
    log.attempt(() => assertStep(name, stepNames));
    if (named.has(name.text)) log.add('DUPLICATE_NAME', name.at, `${name.text} is listed twice: delete one`);
    named.add(name.text);
  }
  return [...named];
}

function assertStep(name: ScalarNode, stepNames: readonly string[]): void {
  if (stepNames.includes(name.text)) return;
  throw unknownName(name, stepNames, `there is no step ${quote(name.text)}`, 'UNKNOWN_STEP');
}

function readBefore(node: TextNode, value: TextNode | undefined, { key, steps, stepNames }: Order) {
  const name = asScalar(node, 'the name of a step, { approve: 2 } or { page: if_done }');
  const { text, at } = name;
  if (text === key.text) throw new TextError('CYCLIC_ORDER', at, `${text} cannot come after itself`);
  assertStep(name, stepNames);
  const other = steps.find((step) => step.key.text === text);
  if (value === undefined) return { step: text, at_least: Math.max(1, other?.min ?? 1) };
  const { text: count, at: countAt } = asScalar(value, 'a number, or if_done');
  if (count === 'if_done') return { step: text, at_least: 0 };
  const isCount = /^[0-9]{1,4}$/.test(count) && Number(count) >= 1;
  if (!isCount)
    throw new TextError('MALFORMED_VALUE', countAt, `${quote(count)} is neither a number from 1 nor if_done`);
  if (other !== undefined && Number(count) > other.max) {
    throw new TextError(
      'OUT_OF_RANGE',
      countAt,
      `${text} is done at most ${other.max} times, so ${count} never come before`,
    );
  }
  return { step: text, at_least: Number(count) };
}

/** Each state that a tool needs must be among the plan's. */
export function assertStates(
  { key, tool, fields }: StepText,
  states: ReadonlySet<string>,
  describe: (name: string) => string,
  log: FaultLog,
): void {
  for (const name of tool.state.keys()) {
    if (states.has(name)) continue;
    const at = fields.get('tool')?.at ?? key.at;
    log.add('MISSING_STATE', at, `${tool.name} needs the state ${name}: add ${name}: ${describe(name)} under state`);
  }
}

/** A map of steps. @throws {TextError} WRONG_FORM */
export const asSteps = (node: TextNode): TextNode => asMap(node, 'steps by name');

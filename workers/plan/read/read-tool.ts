import { createHash } from 'node:crypto';
import { Compile } from 'typebox/schema';
import { DocumentError } from '../../exact/document-error.ts';
import type { InlineTool } from '../../exact/plan-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import { ToolDocument } from '../../exact/tool-schema.ts';
import { parseExpression } from '../language/parse-expression.ts';
import { neededFor, presenceOf } from '../language/parts.ts';
import { flatten, parseShapes } from '../language/shapes.ts';
import { createRoom, type MapTypes, type Scope } from '../language/site.ts';
import type { Expression } from '../language/terms.ts';
import { FOLDED_TYPES, fieldsOf as membersOf, scaleOf, type ValueType } from '../language/types.ts';
import type { MapUpdate, Tool } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { isSameType, readStateTypes } from './read-state.ts';
import {
  assertObservedAndIdentified,
  assertPure,
  mayBeMissing,
  readAnswers,
  readIdentity,
  readObserved,
  readRules,
  stateType,
  typesOf,
  valuesOf,
} from './tool-parts.ts';

const document = Compile(ToolDocument);

/** What expressions of a tool may refer to besides its arguments and response. */
export interface ToolScope extends Scope {
  readonly states: ReadonlyMap<string, ValueType>;
  readonly maps: ReadonlyMap<string, MapTypes>;
}

interface Effects {
  readonly effects: ReadonlyMap<string, Expression>;
  readonly mapEffects: ReadonlyMap<string, readonly MapUpdate[]>;
}

/** The hash that identifies a description: SHA-256("tollhouse:tool:v2\0" ‖ canonical text), in lower-case hex. */
export function hashToolText(text: string): string {
  return createHash('sha256').update(`tollhouse:tool:v2\0${text}`).digest('hex');
}

/** Reads a description, from a plan or the catalogue. @throws {PlanError} @throws {DocumentError} */
export function readTool(tool: InlineTool | ToolDocument, scope: ToolScope, path: string): Tool {
  const takes = parseShapes(tool.args, `${path}/args`, FOLDED_TYPES);
  const args = flatten(takes);
  const answers = readAnswers(tool.responds, `${path}/responds`);
  const responds = valuesOf(answers);
  const inside = { ...scope, names: { ...scope.names, arg: args, resp: typesOf(responds) } };
  const read: Tool = {
    ref: `${tool.name}@${tool.version}`,
    effect: tool.effect,
    replay: tool.replay,
    args,
    takes,
    responds,
    answers,
    ...readEffects(tool.effects, inside, `${path}/effects`),
    observe: readObserved(tool, scope.states, responds, path),
    identity: readIdentity(tool, responds, path),
    post: readRules(tool.post, inside, `${path}/post`),
    limits: [],
    amounts: undefined,
    once: undefined,
  };
  assertReplay(read, path);
  if (read.replay === 'pure') assertPure(read, path);
  return read;
}

/** Reads the changes that an action makes: a value for each state, and entries for each map. */
export function readEffects(effects: Readonly<Record<string, unknown>>, scope: ToolScope, path: string): Effects {
  const values = new Map<string, Expression>();
  const mapEffects = new Map<string, readonly MapUpdate[]>();
  for (const [name, json] of Object.entries(effects)) {
    const at = `${path}/${name}`;
    const map = scope.maps.get(name);
    if (map !== undefined) mapEffects.set(name, readUpdates(json, map, { scope, path: at }));
    else {
      const type = stateType(scope.states, name, at);
      values.set(name, parseExpression(json, { type, scope, path: at }));
    }
  }
  return { effects: values, mapEffects };
}

/** The schema of an effect also allows any expression, so the shape of entries is checked here. */
function readUpdates(
  json: unknown,
  { key, value }: MapTypes,
  { scope, path }: { readonly scope: Scope; readonly path: string },
): readonly MapUpdate[] {
  if (!Array.isArray(json) || json.length === 0 || json.length > 4) {
    throw new PlanError('MALFORMED_PLAN', path, 'is not a list of 1 to 4 entries, as the effect of a map is');
  }
  return json.map((entry: unknown, index): MapUpdate => {
    const at = `${path}/${index}`;
    const members = membersOf(entry, at);
    if (members.size !== 2 || !members.has('key') || !members.has('value')) {
      throw new PlanError('MALFORMED_PLAN', at, 'does not have exactly key and value');
    }
    return {
      key: parseExpression(members.get('key'), { type: key, scope, path: `${at}/key` }),
      value: parseExpression(members.get('value'), { type: value, scope, path: `${at}/value` }),
    };
  });
}

/** A recorded tool may have effects too: they are ghost effects, which nothing observes. */
function assertReplay(tool: Tool, path: string): void {
  const { replay, effects, mapEffects, observe } = tool;
  const wrong = (message: string) => new PlanError('WRONG_REPLAY', `${path}/replay`, message);
  assertObservedAndIdentified(tool, path);
  if (replay !== 'effects' && observe.size > 0) throw wrong(`is "${replay}", and only "effects" observes states`);
  if (replay === 'pure' && effects.size + mapEffects.size > 0)
    throw wrong('is "pure", and the tool has effects: a pure tool changes no state');
}

/**
 * Reads a description of the catalogue. Its expressions refer to the states that it lists, and to nothing of a plan.
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer into the description
 */
export function readCatalogueTool(json: unknown): Tool {
  return readDescription(json).tool;
}

function readDescription(json: unknown) {
  if (!document.Check(json)) {
    const { path, message } = shapeFault(document.Errors(json)[1]);
    throw new PlanError('MALFORMED_TOOL', path, message);
  }
  const { states, maps } = readStateTypes(json.state, '/state');
  const scope: ToolScope = {
    names: { state: states },
    states,
    maps,
    relations: {
      tables: new Map(),
      maps: { at: 'state', types: maps },
      hasOwnTimes: true,
      hasRunFacts: true,
      room: createRoom(),
    },
  };
  const tool = readTool(json, scope, '');
  assertLimits(json, tool);
  assertAmounts(json, tool);
  assertOnce(json, tool);
  return { tool: { ...tool, limits: json.limits, amounts: json.amounts, once: json.once }, states, maps };
}

function assertOnce({ once }: ToolDocument, { args }: Tool): void {
  if (once === undefined) return;
  if (args.has(presenceOf(once))) throw mayBeMissing('/once', once);
  if (args.get(once)?.type === 'string') return;
  throw new PlanError('UNKNOWN_FIELD', '/once', `${once} is not a string among the arguments`);
}

/** Limits add up and group by arguments of the tool. */
function assertLimits({ limits }: ToolDocument, { args }: Tool): void {
  for (const [index, { of, per, most }] of limits.entries()) {
    const path = `/limits/${index}`;
    const type = of === null ? undefined : args.get(of);
    for (const [member, name] of Object.entries({ of, per })) {
      if (name !== null && args.has(presenceOf(name))) throw mayBeMissing(`${path}/${member}`, name);
    }
    if (of !== null && type?.type !== 'int' && type?.type !== 'decimal') {
      throw new PlanError('UNKNOWN_FIELD', `${path}/of`, `${of} is not a number among the arguments`);
    }
    if (per !== null && !args.has(per)) {
      throw new PlanError('UNKNOWN_FIELD', `${path}/per`, `${per} is not an argument of the tool`);
    }
    const scale = type === undefined ? 0 : scaleOf(type);
    if ((most.split('.')[1] ?? '').length !== scale) {
      throw new DocumentError('WRONG_SCALE', `${path}/most`, `does not have exactly ${scale} decimals`);
    }
  }
}

/** Amounts are numbers of the tool. An argument that has the currency has its code, or names it. */
function assertAmounts({ amounts = [] }: ToolDocument, { effect, args, responds }: Tool): void {
  if (amounts.length > 0 && effect !== 'revenue_write') {
    throw new PlanError('MALFORMED_TOOL', '/amounts', 'is only for a tool whose effect is revenue_write');
  }
  for (const [index, { of, unit, currency }] of amounts.entries()) {
    const [part, name = ''] = of;
    for (const [member, value] of Object.entries({ of, unit, currency })) {
      const [scope, used = ''] = typeof value === 'string' ? [] : value;
      const types = scope === 'resp' ? typesOf(responds) : args;
      const isAlwaysThere = used === '' || (neededFor(used, types).length === 0 && !used.includes('#'));
      if (!isAlwaysThere) throw mayBeMissing(`/amounts/${index}/${member}`, used);
    }
    const type = part === 'arg' ? args.get(name) : part === 'resp' ? responds.get(name)?.type : undefined;
    if (type?.type !== 'int' && type?.type !== 'decimal') {
      throw new PlanError('UNKNOWN_FIELD', `/amounts/${index}/of`, 'is not a number of the arguments or the response');
    }
    if (typeof unit === 'string' && Number(unit) === 0) {
      throw new PlanError('MALFORMED_TOOL', `/amounts/${index}/unit`, 'is zero');
    }
    for (const [member, value] of Object.entries({ unit, currency })) {
      if (typeof value === 'string') continue;
      const kind = value[0] === 'arg' ? args.get(value[1] ?? '')?.type : undefined;
      if (kind === 'string' || kind === 'enum') continue;
      throw new PlanError('UNKNOWN_FIELD', `/amounts/${index}/${member}`, 'is not a text or enum of the arguments');
    }
  }
}

interface Wanted {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** Finds a tool of the catalogue by its hash. The plan must have the states of the tool, of the same types. */
export function findCatalogueTool(
  { name, version, sha256 }: Wanted,
  texts: ReadonlyMap<string, string>,
  { plan, path }: { readonly plan: PlanStates; readonly path: string },
): Tool {
  const text = texts.get(sha256);
  if (text === undefined)
    throw new PlanError('UNKNOWN_TOOL', path, `the catalogue has no ${name}@${version} with this hash`);
  const { tool, states, maps } = describe(text, path);
  if (tool.ref !== `${name}@${version}`) throw new PlanError('UNKNOWN_TOOL', path, `the hash is that of ${tool.ref}`);
  const differs = [
    ...[...states].filter(([state, type]) => !isSameType(plan.states.get(state), type)),
    ...[...maps].filter(([state, type]) => !isSameType(plan.maps.get(state), type)),
  ];
  const [first] = differs;
  if (first !== undefined) {
    throw new PlanError('WRONG_STATE', path, `${tool.ref} needs the state ${first[0]}, of the type that it describes`);
  }
  return tool;
}

export interface PlanStates {
  readonly states: ReadonlyMap<string, ValueType>;
  readonly maps: ReadonlyMap<string, MapTypes>;
}

function describe(text: string, path: string) {
  try {
    return readDescription(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
    throw new PlanError('MALFORMED_TOOL', path, `the tool is malformed: its ${error.path || 'form'} ${error.message}`);
  }
}

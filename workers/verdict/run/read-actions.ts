import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument, IntentDocument, reportedOutcome } from '../../exact/action-schema.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { valueAt } from '../../exact/json-pointer.ts';
import { MAX_RUN_ACTIONS } from '../../exact/plan-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import { readMembers, readShape, type ShapeReader } from '../../plan/language/shapes.ts';
import { parseReported, parseValue, type Value } from '../../plan/language/values.ts';
import type { Field, Plan, Step, Tool } from '../../plan/plan.ts';
import { PlanError } from '../../plan/plan-error.ts';
import { type Action, isDone } from './action.ts';
import { markAttempts } from './attempts.ts';

const intents = Compile(Type.Array(IntentDocument, { maxItems: MAX_RUN_ACTIONS }));
const actions = Compile(Type.Array(ActionDocument, { maxItems: MAX_RUN_ACTIONS }));

/**
 * Reads unchecked intents.
 * @param first index of the first intent among the actions of its run
 * @throws {PlanError} MALFORMED_ACTIONS @throws {DocumentError} with a JSON pointer that begins with `/actions`
 */
export function readIntents(json: unknown, plan: Plan, first = 0): readonly Action[] {
  if (!intents.Check(json)) throw shapeError(intents.Errors(json)[1], first);
  return markAttempts(
    json.map((intent, index) => readAction(intent, undefined, { plan, path: `/actions/${first + index}` })),
    plan,
  );
}

/**
 * Reads unchecked actions with the responses of their tools.
 * @param onFault told of the arguments of an action that are not those of its tool, which then has none. Left out: they are thrown
 * @throws as `readIntents`
 */
export function readActions(json: unknown, plan: Plan, onFault?: OnFault): readonly Action[] {
  if (!actions.Check(json)) throw shapeError(actions.Errors(json)[1]);
  return markAttempts(
    json.map((action, index) => readRecorded(action, { plan, path: `/actions/${index}`, onFault })),
    plan,
  );
}

type OnFault = (index: number, fault: DocumentError) => void;

/** Only an act that is done has a response. */
function readRecorded(action: ActionDocument, place: Place): Action {
  const outcome = reportedOutcome(action);
  if ((outcome === 'done') === (action.response !== undefined)) return readAction(action, action, place);
  const message = outcome === 'done' ? 'is missing' : `belongs to an act that is done, and this one is ${outcome}`;
  throw new PlanError('MALFORMED_ACTIONS', `${place.path}/response`, message);
}

function shapeError(faults: Parameters<typeof shapeFault>[0], first = 0): PlanError {
  const { path, message } = shapeFault(faults);
  const at = path.replace(/^\/\d+/, (index) => `/${first + Number(index.slice(1))}`);
  return new PlanError('MALFORMED_ACTIONS', `/actions${at}`, message);
}

function readAction(document: IntentDocument, record: ActionDocument | undefined, place: Place): Action {
  const { plan, path } = place;
  const { step_id: stepId } = document;
  const tool = `${document.tool}@${document.tool_version}`;
  const step = plan.steps.find((each) => each.stepId === stepId);
  if (step === undefined || step.tool.ref !== tool) {
    return { stepId, tool, step, args: undefined, response: undefined, record };
  }
  return {
    stepId,
    tool,
    step,
    args: readArgsOrTell(document.args, step, place),
    response: record && isDone({ record }) ? readResponse(record.response, step.tool, `${path}/response`) : undefined,
    record,
  };
}

interface Place {
  readonly plan: Plan;
  readonly path: string;
  readonly onFault?: OnFault | undefined;
}

function readArgsOrTell(args: Readonly<Record<string, unknown>>, step: Step, { path, onFault }: Place): Action['args'] {
  try {
    return readArgs(args, step, `${path}/args`);
  } catch (error) {
    if (onFault === undefined || !(error instanceof DocumentError)) throw error;
    onFault(Number(path.slice('/actions/'.length)), error);
    return undefined;
  }
}

/** Recorded arguments are compared with proposed ones by their texts, so a decimal has only one text. */
const ARGUMENTS: ShapeReader = { value: parseValue, isStrict: true };
const RESPONSE: ShapeReader = { value: parseReported, isStrict: false };

/** Reads all declared arguments. Others are refused because no rule would check them. */
const readArgs = (args: Readonly<Record<string, unknown>>, { tool }: Step, path: string): ReadonlyMap<string, Value> =>
  new Map(readMembers(args, { name: '', members: tool.takes, path }, ARGUMENTS));

/** Reads the declared fields of a response. Other parts of it are ignored. */
const readResponse = (json: unknown, { answers }: Tool, path: string): ReadonlyMap<string, Value> =>
  new Map(
    [...answers].flatMap(([name, { shape, at }]) =>
      readShape(valueAt(json, at), { name, shape, path: path + at }, RESPONSE),
    ),
  );

/** Reads the declared fields of a JSON document. Other parts of it are ignored. */
export function readFieldsOf(
  json: unknown,
  fields: ReadonlyMap<string, Field>,
  path: string,
): ReadonlyMap<string, Value> {
  return new Map([...fields].map(([name, field]) => [name, readField(json, field, path)]));
}

export function readField(json: unknown, { type, at }: Field, path: string): Value {
  const value = valueAt(json, at);
  if (value === undefined) throw new DocumentError('MALFORMED_VALUE', path + at, 'is missing');
  return parseReported(value, type, path + at);
}

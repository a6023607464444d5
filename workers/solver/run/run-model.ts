import type { Claim } from '../decide/verdict.ts';
import { evaluate } from '../language/evaluate.ts';
import { createNodeBudget, expand, type Slot, type SpendNodes } from '../language/expand.ts';
import { literal, type Scoped, type Term, variable } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';

/** A run as variables and what is known of them; rules are written over it. */
export interface RunModel {
  readonly variables: ReadonlyMap<string, ValueType>;
  readonly values: ReadonlyMap<string, Value>;
  /** How each state follows from the one before. */
  readonly facts: readonly Claim[];
  /** Actions that were done, in order, then those that the plan would allow besides, which were not. */
  readonly slots: readonly RunSlot[];
  readonly constants: ReadonlyMap<string, Term>;
  /** The state when all is done. */
  readonly final: ReadonlyMap<string, Term>;
  readonly spend: SpendNodes;
}

export interface RunSlot extends Slot {
  /** Where the action stands among the actions; undefined for one that was not done. */
  readonly index: number | undefined;
  readonly plannedStep: Step;
  readonly names: Scoped<Term> & { readonly state: ReadonlyMap<string, Term> };
}

const BOOL: ValueType = { type: 'bool' };

/**
 * Models a run. What was done are facts, and so is what was not: every action that the plan allows has its place, for
 * a rule that asks for one to be false of this run, and not of every run. A state is a variable of its own after each
 * action, as terms put into terms would grow without end.
 * @param actions those whose step is known and whose tool is the step's
 * @throws {LanguageError} TOO_MANY_NODES
 */
export function modelRun(plan: Plan, actions: readonly Action[]): RunModel {
  const builder = new Builder(plan);
  for (const [index, action] of actions.entries()) {
    if (action.step !== undefined && action.args !== undefined) builder.add(action.step, action, index);
  }
  for (const step of plan.steps) {
    const done = actions.filter(({ stepId }) => stepId === step.stepId).length;
    for (let rest = done; rest < step.max; rest++) builder.add(step, undefined, rest);
  }
  return builder;
}

class Builder implements RunModel {
  readonly variables = new Map<string, ValueType>();
  readonly values = new Map<string, Value>();
  readonly facts: Claim[] = [];
  readonly slots: RunSlot[] = [];
  readonly constants: ReadonlyMap<string, Term>;
  readonly spend = createNodeBudget();
  final: ReadonlyMap<string, Term>;
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.constants = new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)]));
    this.final = new Map([...plan.state].map(([name, { value }]) => [name, literal(value)]));
  }

  add(step: Step, action: Action | undefined, number: number): void {
    const path = action === undefined ? `/steps/${step.stepId}/open/${number}` : `/actions/${number}`;
    const present = this.#variable(`${path}/present`, BOOL, action !== undefined);
    const names = {
      arg: this.#values(`${path}/args`, step.tool.args, action?.args),
      resp: this.#values(`${path}/response`, typesOf(step), action?.response),
      state: this.final,
      var: this.constants,
    };
    this.slots.push({ step: step.stepId, plannedStep: step, present, names, index: action && number });
    this.final = this.#stateAfter(step, { path, present, names });
  }

  /** All at once: each new value follows from the old ones. */
  #stateAfter(
    { tool }: Step,
    { path, present, names }: { readonly path: string; readonly present: Term; readonly names: Scoped<Term> },
  ): ReadonlyMap<string, Term> {
    const after = new Map(this.final);
    for (const [name, effect] of tool.effects) {
      const before = this.final.get(name);
      const type = this.#plan.state.get(name)?.type;
      if (before === undefined || type === undefined) throw new TypeError(`no state ${name}`);
      const whenTrue = expand(effect, { names }, this.spend);
      const becomes: Term = { op: 'ite', condition: present, whenTrue, whenFalse: before };
      const key = `${path}/state/${name}`;
      after.set(name, this.#variable(key, type, evaluate(becomes, this.values)));
      this.facts.push({ id: key, term: { op: '=', left: variable(key), right: becomes } });
    }
    return after;
  }

  #values(
    path: string,
    types: ReadonlyMap<string, ValueType>,
    known: ReadonlyMap<string, Value> | undefined,
  ): ReadonlyMap<string, Term> {
    return new Map([...types].map(([name, type]) => [name, this.#variable(`${path}/${name}`, type, known?.get(name))]));
  }

  #variable(key: string, type: ValueType, value: Value | undefined): Term {
    this.variables.set(key, type);
    if (value !== undefined) this.values.set(key, value);
    return variable(key);
  }
}

function typesOf({ tool }: Step): ReadonlyMap<string, ValueType> {
  return new Map([...tool.responds].map(([name, { type }]) => [name, type]));
}

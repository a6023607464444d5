import type { Formula } from '../decide/problem.ts';
import { evaluate } from '../language/evaluate.ts';
import { createNodeBudget, expand, type Slot, type SpendNodes } from '../language/expand.ts';
import { literal, type Scoped, type Term, variable } from '../language/terms.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { isOfType, type Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';

/** A run as variables, known values and facts. Rules refer to these. */
export interface RunModel {
  readonly variables: ReadonlyMap<string, ValueType>;
  readonly values: ReadonlyMap<string, Value>;
  /** How each state follows from the state before it. */
  readonly facts: readonly Formula[];
  /** Actions that were done, in order, then those that may still be done. */
  readonly slots: readonly RunSlot[];
  readonly constants: ReadonlyMap<string, Term>;
  /** State values after each action that was done. */
  readonly states: readonly StateAfter[];
  /** The state at the end of the run. */
  readonly final: ReadonlyMap<string, Term>;
  readonly spend: SpendNodes;
}

export interface RunSlot extends Slot {
  /** Index of the action. Undefined if it is not done yet. */
  readonly index: number | undefined;
  readonly plannedStep: Step;
  readonly names: Scoped<Term> & { readonly state: ReadonlyMap<string, Term> };
}

export interface StateAfter {
  /** `/actions/1/state/refundable` */
  readonly path: string;
  readonly name: string;
  /** The condition that the state is of its type. Undefined if it cannot be outside. */
  readonly within: Term | undefined;
}

/** Nodes of a run's rules: 400,000 for 256 updates out of a list of 256, each at most once. */
export const MAX_RUN_NODES = 1_000_000;

export const BOOL: ValueType = { type: 'bool' };

interface SlotOptions {
  /** Prefix of the keys of its variables. */
  readonly path: string;
  readonly present: Term;
  readonly action?: Action;
  /** For a slot of several like actions: how many there are. */
  readonly times?: Term;
  /** Known arguments of an action that is not done yet. */
  readonly args?: ReadonlyMap<string, Value>;
  /** Index of the action, if it was done. */
  readonly index?: number;
}

/** Builds the model of a run action by action. */
export class RunBuilder implements RunModel {
  readonly variables = new Map<string, ValueType>();
  readonly values = new Map<string, Value>();
  readonly facts: Formula[] = [];
  readonly slots: RunSlot[] = [];
  readonly states: StateAfter[] = [];
  readonly constants: ReadonlyMap<string, Term>;
  readonly spend = createNodeBudget(MAX_RUN_NODES);
  /** The state after the actions that were added so far. */
  final: ReadonlyMap<string, Term>;
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.constants = new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)]));
    this.final = new Map([...plan.state].map(([name, { value }]) => [name, literal(value)]));
  }

  /** Adds the actions whose step and tool are the plan's. Alignment reports the others. */
  addDone(actions: readonly Action[]): void {
    const present = literal(true);
    for (const [index, action] of actions.entries()) {
      if (action.step === undefined || action.args === undefined) continue;
      const path = `/actions/${index}`;
      this.states.push(...this.advance(path, [this.addSlot(action.step, { path, present, action, index })]));
    }
  }

  addSlot(step: Step, { path, present, action, times, args, index }: SlotOptions): RunSlot {
    const arg = new Map(this.#values(`${path}/args`, step.tool.args, action?.args));
    if (args !== undefined) for (const [name, value] of args) arg.set(name, literal(value));
    const names = {
      arg,
      resp: this.#values(`${path}/response`, responseTypes(step), action?.response),
      state: this.final,
      var: this.constants,
    };
    const slot: RunSlot = { step: step.stepId, plannedStep: step, present, names, index, ...(times && { times }) };
    this.slots.push(slot);
    return slot;
  }

  /**
   * Computes the next state from the last one, by the effects of the slot that is present. The next value is a fact even
   * outside the bounds of its type: a state that leaves its type breaks a rule and must not contradict the facts. A value
   * that is too large for any type of its kind is not kept: the state keeps its old value.
   * @returns the values that may have changed
   */
  advance(path: string, slots: readonly RunSlot[]): readonly StateAfter[] {
    const changed: StateAfter[] = [];
    const next = new Map(this.final);
    for (const [name, before] of this.final) {
      const becomes = this.#effectOf(slots, name, before);
      if (becomes === before) continue;
      const [key, type] = [`${path}/state/${name}`, this.#stateType(name)];
      const value = evaluate(becomes, this.values);
      const widest = withoutBounds(type);
      if (value === undefined || isOfType(value, widest)) {
        const term = this.define(key, widest, becomes);
        next.set(name, term);
        changed.push({ path: key, name, within: this.#withinBounds(term, type, widest) });
      } else {
        const within = 'min' in type ? between(type.min, becomes, type.max) : literal(false);
        changed.push({ path: key, name, within });
      }
    }
    this.final = next;
    return changed;
  }

  /** The value of a state after the slot that is present, or `before` itself if no slot changes it. */
  #effectOf(slots: readonly RunSlot[], state: string, before: Term): Term {
    let becomes = before;
    for (const { plannedStep, present, names } of slots) {
      const effect = plannedStep.tool.effects.get(state);
      if (effect === undefined) continue;
      const whenTrue = expand(effect, { names }, this.spend);
      becomes = { op: 'ite', condition: present, whenTrue, whenFalse: becomes };
    }
    return becomes;
  }

  #withinBounds(term: Term, type: ValueType, widest: ValueType): Term | undefined {
    if (!('min' in type) || !('min' in widest)) return undefined;
    if (type.min === widest.min && type.max === widest.max) return undefined;
    this.spend(8);
    return between(type.min, term, type.max);
  }

  /** Adds terms to the final value of a state. @returns the condition that the result is within its type */
  add(name: string, terms: readonly Term[]): Term | undefined {
    const before = this.final.get(name);
    if (before === undefined) throw new TypeError(`there is no state ${name}`);
    const type = this.#stateType(name);
    const widest = withoutBounds(type);
    const term = this.define(`/final/${name}`, widest, { op: '+', args: [before, ...terms] });
    this.final = new Map([...this.final, [name, term]]);
    return this.#withinBounds(term, type, widest);
  }

  /** Defines variables for the final values of states that a tool may have changed. */
  endState(path: string): void {
    const isChanged = (name: string) => this.#plan.steps.some(({ tool }) => tool.effects.has(name));
    this.final = new Map(
      [...this.final].map(([name, term]) => {
        return [
          name,
          isChanged(name) ? this.define(`${path}/${name}`, withoutBounds(this.#stateType(name)), term) : term,
        ];
      }),
    );
  }

  /** Defines a variable that equals a term. */
  define(key: string, type: ValueType, term: Term): Term {
    const defined = this.variable(key, type, evaluate(term, this.values));
    this.facts.push({ id: key, term: { op: '=', left: defined, right: term } });
    return defined;
  }

  variable(key: string, type: ValueType, value?: Value): Term {
    this.spend(1);
    this.variables.set(key, type);
    if (value !== undefined) this.values.set(key, value);
    return variable(key);
  }

  #values(
    path: string,
    types: ReadonlyMap<string, ValueType>,
    known: ReadonlyMap<string, Value> | undefined,
  ): ReadonlyMap<string, Term> {
    return new Map([...types].map(([name, type]) => [name, this.variable(`${path}/${name}`, type, known?.get(name))]));
  }

  #stateType(name: string): ValueType {
    const type = this.#plan.state.get(name)?.type;
    if (type === undefined) throw new TypeError(`there is no state ${name}`);
    return type;
  }
}

function between(min: bigint, term: Term, max: bigint): Term {
  return {
    op: 'and',
    args: [
      { op: '<=', left: literal(min), right: term },
      { op: '<=', left: term, right: literal(max) },
    ],
  };
}

function responseTypes({ tool }: Step): ReadonlyMap<string, ValueType> {
  return new Map([...tool.responds].map(([name, { type }]) => [name, type]));
}

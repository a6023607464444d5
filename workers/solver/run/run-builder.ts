import type { Claim } from '../decide/verdict.ts';
import { evaluate } from '../language/evaluate.ts';
import { createNodeBudget, expand, type Slot, type SpendNodes } from '../language/expand.ts';
import { literal, type Scoped, type Term, variable } from '../language/terms.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { isOfType, type Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';

/** A run as variables and what is known of them; rules are written over it. */
export interface RunModel {
  readonly variables: ReadonlyMap<string, ValueType>;
  readonly values: ReadonlyMap<string, Value>;
  /** How each state follows from the one before. */
  readonly facts: readonly Claim[];
  /** Actions that were done, in order, then those that may still be done. */
  readonly slots: readonly RunSlot[];
  readonly constants: ReadonlyMap<string, Term>;
  /** What became of the state with each action that was done. */
  readonly states: readonly StateAfter[];
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

export interface StateAfter {
  /** `/actions/1/state/refundable` */
  readonly path: string;
  readonly name: string;
  /** That the state is of its type; undefined where it cannot be anything else. */
  readonly within: Term | undefined;
}

/** Nodes of a run's rules: 400,000 for 256 updates out of a list of 256, each at most once. */
export const MAX_RUN_NODES = 1_000_000;

export const BOOL: ValueType = { type: 'bool' };

interface SlotOptions {
  /** Of its variables. */
  readonly path: string;
  readonly present: Term;
  readonly action?: Action;
  /** Of one that stands for several like actions: how many. */
  readonly times?: Term;
  /** What its arguments are, as far as it is known. */
  readonly args?: ReadonlyMap<string, Value>;
  /** Where the action stands, if it was done. */
  readonly index?: number;
}

/** A run as it grows, action by action. */
export class RunBuilder implements RunModel {
  readonly variables = new Map<string, ValueType>();
  readonly values = new Map<string, Value>();
  readonly facts: Claim[] = [];
  readonly slots: RunSlot[] = [];
  readonly states: StateAfter[] = [];
  readonly constants: ReadonlyMap<string, Term>;
  readonly spend = createNodeBudget(MAX_RUN_NODES);
  /** The state after what was added so far. */
  final: ReadonlyMap<string, Term>;
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.constants = new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)]));
    this.final = new Map([...plan.state].map(([name, { value }]) => [name, literal(value)]));
  }

  /** Those whose step and tool are the plan's. */
  addDone(actions: readonly Action[]): void {
    const present = literal(true);
    for (const [index, action] of actions.entries()) {
      if (action.step === undefined || action.args === undefined) continue;
      const path = `/actions/${index}`;
      this.states.push(...this.advance(path, [this.addSlot(action.step, { path, present, action, index })]));
    }
  }

  addSlot(step: Step, { path, present, action, times, args, index }: SlotOptions): RunSlot {
    const fixed = [...(args ?? [])].map(([name, value]) => [name, literal(value)] as const);
    const names = {
      arg: new Map([...this.#values(`${path}/args`, step.tool.args, action?.args), ...fixed]),
      resp: this.#values(`${path}/response`, responseTypes(step), action?.response),
      state: this.final,
      var: this.constants,
    };
    const slot: RunSlot = { step: step.stepId, plannedStep: step, present, names, index, ...(times && { times }) };
    this.slots.push(slot);
    return slot;
  }

  /**
   * Each new value follows from the old ones, all at once, by the one of these slots that is present. The value is a
   * fact, also outside the bounds of its type: a state that leaves its type breaks a rule, and does not contradict the
   * facts. A value that is too large for any type of its kind is not kept: the state stays what it was.
   * @returns the values that may have changed
   */
  advance(path: string, slots: readonly RunSlot[]): readonly StateAfter[] {
    const changed: StateAfter[] = [];
    const next = new Map(this.final);
    for (const [name, before] of this.final) {
      let becomes = before;
      for (const { plannedStep, present, names } of slots) {
        const effect = plannedStep.tool.effects.get(name);
        if (effect === undefined) continue;
        const whenTrue = expand(effect, { names }, this.spend);
        becomes = { op: 'ite', condition: present, whenTrue, whenFalse: becomes };
      }
      if (becomes === before) continue;
      const [key, type] = [`${path}/state/${name}`, this.#stateType(name)];
      const value = evaluate(becomes, this.values);
      const widest = withoutBounds(type);
      if (value === undefined || isOfType(value, widest)) {
        const term = this.define(key, widest, becomes);
        next.set(name, term);
        changed.push({ path: key, name, within: this.#withinBounds(term, type, widest) });
      } else {
        const isNumber = 'min' in type;
        const within = isNumber ? between(type.min, becomes, type.max) : literal(false);
        changed.push({ path: key, name, within });
      }
    }
    this.final = next;
    return changed;
  }

  #withinBounds(term: Term, type: ValueType, widest: ValueType): Term | undefined {
    if (!('min' in type) || !('min' in widest)) return undefined;
    if (type.min === widest.min && type.max === widest.max) return undefined;
    this.spend(8);
    return between(type.min, term, type.max);
  }

  /** Adds terms to a state at its end. @returns that the state is within its type then */
  add(name: string, terms: readonly Term[]): Term | undefined {
    const before = this.final.get(name);
    if (before === undefined) throw new TypeError(`no state ${name}`);
    const type = this.#stateType(name);
    const widest = withoutBounds(type);
    const term = this.define(`/final/${name}`, widest, { op: '+', args: [before, ...terms] });
    this.final = new Map([...this.final, [name, term]]);
    return this.#withinBounds(term, type, widest);
  }

  /** Names the state that all ends in, where a tool may have changed it: a rule about it is not about the plan alone. */
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

  /** A variable that is equal to a term. */
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
    if (type === undefined) throw new TypeError(`no state ${name}`);
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

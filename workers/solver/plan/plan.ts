import type { NumberExpression } from '../language/parse-expression.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';

/** A named condition. */
export interface Rule {
  readonly id: string;
  readonly expression: Expression;
}

/** A rule about whole runs. */
export interface Constraint extends Rule {
  /** How far the rule is from being broken. Undefined unless it compares two numbers. */
  readonly slack: NumberExpression | undefined;
}

/** A field of a JSON document. */
export interface Field {
  readonly type: ValueType;
  /** JSON pointer (RFC 6901) into the document. */
  readonly at: string;
}

/** A variable of the plan, or a state with its initial value. */
export interface Constant {
  readonly type: ValueType;
  readonly value: Value;
}

export interface Tool {
  /** name@version */
  readonly ref: string;
  readonly effect: 'none' | 'write' | 'revenue_write';
  /** How actions are verified: run again, replayed on the plan's state, or believed and checked against `post`. */
  readonly replay: 'pure' | 'effects' | 'recorded';
  readonly args: ReadonlyMap<string, ValueType>;
  readonly responds: ReadonlyMap<string, Field>;
  /** State variable → its value after an action. Over arg, resp, state (before the action) and var. */
  readonly effects: ReadonlyMap<string, Expression>;
  /** State variable → field of the response that must equal it after the action. */
  readonly observe: ReadonlyMap<string, string>;
  /** The field of the response that identifies an act. */
  readonly identity: string | undefined;
  /** Conditions of every action. Over arg, resp, state (before the action) and var. */
  readonly post: readonly Rule[];
}

export interface EvidenceKind {
  readonly kind: string;
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
  readonly min: number;
  readonly max: number;
  readonly reads: ReadonlyMap<string, Field>;
  /** Conditions of the evidence. Over ev, arg, resp and var. */
  readonly binds: readonly Rule[];
}

export interface Step {
  readonly stepId: string;
  readonly tool: Tool;
  /** Conditions of every action. Over arg, state (before the action) and var. */
  readonly where: readonly Rule[];
  /** Steps that must have max(1, min) actions before the first action of this one. */
  readonly after: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly evidence: readonly EvidenceKind[];
}

/** Rules that plans can share, over variables that each plan binds. */
export interface Sheet {
  /** name@version */
  readonly ref: string;
  readonly variables: ReadonlyMap<string, ValueType>;
  /** For each variable with bounds, the rule that it is within them. The rule's id is the variable's name. Over var. */
  readonly bounds: readonly Rule[];
  /** Over var. */
  readonly rules: readonly Rule[];
}

/** A sheet as a plan uses it: for the run as a whole, or for each action of a step. */
export interface SheetUse {
  readonly sheet: Sheet;
  /** The step. Undefined for the run as a whole. */
  readonly stepId: string | undefined;
  /** Variable of the sheet → its expression. For the run: over the same names as constraints. For actions: over arg, resp, state and var. */
  readonly bind: ReadonlyMap<string, Expression>;
}

/** A plan whose names, types and expressions are checked. */
export interface Plan {
  readonly title: string;
  /** UTC, with microseconds. */
  readonly expiresAt: string;
  readonly maxExecutions: number;
  readonly maxRecorded: number;
  readonly supersedes: string | undefined;
  readonly variables: ReadonlyMap<string, Constant>;
  readonly state: ReadonlyMap<string, Constant>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly steps: readonly Step[];
  /** Over var, final, and the actions of steps with their arg and resp. */
  readonly constraints: readonly Constraint[];
  /** In the order of the document: ids of their rules have the index. */
  readonly sheets: readonly SheetUse[];
}

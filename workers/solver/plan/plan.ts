import type { NumberExpression } from '../language/parse-expression.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';

/** A named condition. */
export interface Rule {
  readonly id: string;
  readonly expression: Expression;
}

/** A rule of the plan as a whole. */
export interface Constraint extends Rule {
  /** Of one that puts two numbers in order: how far it is from being broken. */
  readonly slack: NumberExpression | undefined;
}

/** A field of a JSON document. */
export interface Field {
  readonly type: ValueType;
  /** JSON pointer (RFC 6901) into the document. */
  readonly at: string;
}

/** A variable of the plan: a fixed value. */
export interface Constant {
  readonly type: ValueType;
  readonly value: Value;
}

export interface Tool {
  /** name@version */
  readonly ref: string;
  readonly effect: 'none' | 'write' | 'revenue_write';
  /** How its acts are verified: run again, replayed on the plan's state, or believed and held to `post`. */
  readonly replay: 'pure' | 'effects' | 'recorded';
  readonly args: ReadonlyMap<string, ValueType>;
  readonly responds: ReadonlyMap<string, Field>;
  /** What each state variable becomes, all at once. Over arg, resp, state (before) and var. */
  readonly effects: ReadonlyMap<string, Expression>;
  /** State variable (after) → field of the response that must equal it. */
  readonly observe: ReadonlyMap<string, string>;
  readonly identity: string | undefined;
  /** Over arg, resp, state (before) and var. */
  readonly post: readonly Rule[];
}

export interface EvidenceKind {
  readonly kind: string;
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
  readonly min: number;
  readonly max: number;
  readonly reads: ReadonlyMap<string, Field>;
  /** Over ev, arg, resp and var. */
  readonly binds: readonly Rule[];
}

export interface Step {
  readonly stepId: string;
  readonly tool: Tool;
  /** Over arg, state (before) and var. */
  readonly where: readonly Rule[];
  /** Steps that must have reached max(1, min) actions before. */
  readonly after: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly evidence: readonly EvidenceKind[];
}

/** Rules that many plans use: what they are about is left open. */
export interface Sheet {
  /** name@version */
  readonly ref: string;
  readonly variables: ReadonlyMap<string, ValueType>;
  /** That each variable is within the bounds of its type, if it has any; its id is the variable's name. Over var. */
  readonly bounds: readonly Rule[];
  /** Over var. */
  readonly rules: readonly Rule[];
}

/** A sheet as a plan uses it: of the run as a whole, or of each action of a step. */
export interface SheetUse {
  readonly sheet: Sheet;
  /** Undefined: of the run. */
  readonly stepId: string | undefined;
  /** What each variable of the sheet stands for. Of the run: as constraints; of an action: over arg, resp, state and var. */
  readonly bind: ReadonlyMap<string, Expression>;
}

/** A plan whose names, types and expressions have been read. */
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
  /** In the order of the document, which their rules are named by. */
  readonly sheets: readonly SheetUse[];
}

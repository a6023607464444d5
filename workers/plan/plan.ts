import type { ToolAmount, ToolLimit } from '../exact/tool-schema.ts';
import type { NumberExpression } from './language/parse-expression.ts';
import type { Shape, Shapes } from './language/shapes.ts';
import type { Expression } from './language/terms.ts';
import type { ValueType } from './language/types.ts';
import type { Value } from './language/values.ts';

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

/** A field of a response that may have parts. */
export interface Answer {
  readonly shape: Shape;
  /** JSON pointer (RFC 6901) into the response. */
  readonly at: string;
}

/** A variable of the plan, or a state with its initial value. */
export interface Constant {
  readonly type: ValueType;
  readonly value: Value;
}

/** A state with a value for each key. */
export interface MapState {
  readonly key: ValueType;
  readonly value: ValueType;
  /** The value of a key that no action changed. */
  readonly byDefault: Value;
}

/** An entry that an action sets in a map. */
export interface MapUpdate {
  readonly key: Expression;
  readonly value: Expression;
}

/** Constant data of a plan, by key. */
export interface Table {
  /** Names of the columns of the key. */
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, ValueType>;
  /** Where the value of a column is in a row. */
  readonly positions: ReadonlyMap<string, number>;
  /** The values of each row, in the order of the columns. */
  readonly rows: readonly TableRow[];
  /** The row with this key: a value for each column of the key. */
  readonly rowAt: (key: readonly Value[]) => TableRow | undefined;
}

export type TableRow = readonly Value[];

export interface Tool {
  /** name@version */
  readonly ref: string;
  readonly effect: 'none' | 'write' | 'revenue_write';
  /** How actions are verified: run again, replayed on the plan's state, or believed and checked against `post`. */
  readonly replay: 'pure' | 'effects' | 'recorded';
  /** The types of all values among the arguments, by the names that `language/parts.ts` explains. */
  readonly args: ReadonlyMap<string, ValueType>;
  /** What the arguments are made of. */
  readonly takes: Shapes;
  /** The values of a response, by such names. */
  readonly responds: ReadonlyMap<string, Field>;
  /** What the fields of a response are made of, and where they are. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** State variable → its value after an action. Over arg, resp, state (before the action) and var. */
  readonly effects: ReadonlyMap<string, Expression>;
  /** Map → the entries that an action sets, in order. Over the same names. */
  readonly mapEffects: ReadonlyMap<string, readonly MapUpdate[]>;
  /** State variable → field of the response that must equal it after the action. */
  readonly observe: ReadonlyMap<string, string>;
  /** The field of the response that identifies an act. */
  readonly identity: string | undefined;
  /** Conditions of every action. Over arg, resp, state (before the action) and var. */
  readonly post: readonly Rule[];
  /** The operator's limits, which hold across plans. */
  readonly limits: readonly ToolLimit[];
  /** The money that an act moves. Undefined: it is not described. */
  readonly amounts: readonly ToolAmount[] | undefined;
  /** The argument that is the tool's idempotency key. Undefined: it has none, and each call is an act. */
  readonly once: string | undefined;
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
  readonly after: readonly Predecessor[];
  /** Steps with whose actions those of this step may overlap, although they share a state. */
  readonly overlaps: ReadonlySet<string>;
  /** Changes of states that no tool observes, besides those of the tool. */
  readonly effects: ReadonlyMap<string, Expression>;
  readonly mapEffects: ReadonlyMap<string, readonly MapUpdate[]>;
  readonly min: number;
  readonly max: number;
  readonly evidence: readonly EvidenceKind[];
}

/** A step that comes before another one. */
export interface Predecessor {
  readonly stepId: string;
  /** How many of its actions must come before each action of the other step. With 0, none may come after one. */
  readonly atLeast: number;
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
  /** Whether every act must be done: one that failed, or whose outcome is unknown, refutes a run. */
  readonly mustBeDone: boolean;
  readonly supersedes: string | undefined;
  /** How many distinct approvers must approve. */
  readonly approvals: number;
  readonly variables: ReadonlyMap<string, Constant>;
  readonly state: ReadonlyMap<string, Constant>;
  readonly maps: ReadonlyMap<string, MapState>;
  readonly tables: ReadonlyMap<string, Table>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly steps: readonly Step[];
  /** Over var, final, and the actions of steps with their arg and resp. */
  readonly constraints: readonly Constraint[];
  /** Over var, and the actions of steps in this run and in those that were recorded before it. */
  readonly runs: readonly Constraint[];
  /** In the order of the document: ids of their rules have the index. */
  readonly sheets: readonly SheetUse[];
}

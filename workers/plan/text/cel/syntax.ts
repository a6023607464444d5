interface At {
  /** Offset of its first character in the expression. */
  readonly at: number;
  /** Offset that names it best in a message: an operator, or the name after a point. */
  readonly mark: number;
}

/** A number as it is written. */
export interface NumberSyntax extends At {
  readonly kind: 'number';
  readonly text: string;
}
export interface StringSyntax extends At {
  readonly kind: 'string';
  readonly value: string;
}
export interface BoolSyntax extends At {
  readonly kind: 'bool';
  readonly value: boolean;
}
export interface NameSyntax extends At {
  readonly kind: 'name';
  readonly name: string;
}
/** `operand.field` */
export interface SelectSyntax extends At {
  readonly kind: 'select';
  readonly operand: Syntax;
  readonly field: string;
}
/** `operand[key]` */
export interface IndexSyntax extends At {
  readonly kind: 'index';
  readonly operand: Syntax;
  readonly key: Syntax;
}
export interface ListSyntax extends At {
  readonly kind: 'list';
  readonly items: readonly Syntax[];
}

/** Operators as CEL writes them. `&&`, `||` and `+` have all operands of a chain; `?:` has three. */
export type Operator = '&&' | '||' | '!' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | 'in' | '?:';
export interface OperatorSyntax extends At {
  readonly kind: 'operator';
  readonly operator: Operator;
  readonly operands: readonly Syntax[];
}
/** `name(args)` */
export interface CallSyntax extends At {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Syntax[];
}
/** `range.name(binder, body)` */
export interface MacroSyntax extends At {
  readonly kind: 'macro';
  readonly name: 'all' | 'exists';
  readonly range: Syntax;
  readonly binder: string;
  readonly body: Syntax;
}

export type Syntax =
  | NumberSyntax
  | StringSyntax
  | BoolSyntax
  | NameSyntax
  | SelectSyntax
  | IndexSyntax
  | ListSyntax
  | OperatorSyntax
  | CallSyntax
  | MacroSyntax;

/** How an expression is written, for messages: `args.amount`. Undefined for more than names. */
export function spell(syntax: Syntax): string | undefined {
  if (syntax.kind === 'name') return syntax.name;
  if (syntax.kind !== 'select') return undefined;
  const operand = spell(syntax.operand);
  return operand && `${operand}.${syntax.field}`;
}

/** The names in an expression, `cap` or `state.left`, with their offsets. */
export function* namesIn(syntax: Syntax): Generator<readonly [name: string, at: number]> {
  const name = spell(syntax);
  if (name !== undefined) yield [name, syntax.at];
  for (const part of partsOf(syntax)) yield* namesIn(part);
}

function partsOf(syntax: Syntax): readonly Syntax[] {
  if (syntax.kind === 'select') return [syntax.operand];
  if (syntax.kind === 'index') return [syntax.operand, syntax.key];
  if (syntax.kind === 'list') return syntax.items;
  if (syntax.kind === 'operator') return syntax.operands;
  if (syntax.kind === 'call') return syntax.args;
  return syntax.kind === 'macro' ? [syntax.range, syntax.body] : [];
}

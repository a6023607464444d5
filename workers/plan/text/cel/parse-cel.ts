import { parse } from '@bufbuild/cel';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { defined } from '../../../exact/defined.ts';
import { CelError } from './cel-error.ts';
import { hintAt, REMAINDER, unknownMethod, wordBefore } from './hints.ts';
import { partsInBrackets, scanBrackets } from './scan-brackets.ts';
import type { Operator, Syntax } from './syntax.ts';

const MAX_LENGTH = 16 * 1024;
const MAX_DEPTH = 64;

type Parsed = ReturnType<typeof parse>;
type Expr = NonNullable<Parsed['expr']>;
type Kind<Case> = Extract<Expr['exprKind'], { case: Case }>['value'];

/** Parses an expression in CEL into the nodes that this language knows. @throws {CelError} */
export function parseCel(text: string): Syntax {
  if (text.length > MAX_LENGTH)
    throw new CelError('TOO_LARGE', 0, `an expression has at most ${MAX_LENGTH} characters`);
  scanBrackets(text);
  const { expr, sourceInfo } = parseText(text);
  return new Converter(text, sourceInfo).convert(defined(expr), 0);
}

function parseText(text: string): Parsed {
  try {
    // The parser takes a comment only with the end of its line.
    return parse(`${text}\n`);
  } catch (error) {
    const offset = offsetOf(error);
    const stop = innermost(text, offset === undefined ? undefined : Math.min(offset, text.length));
    if (stop === undefined) throw new CelError('CEL_SYNTAX', 0, 'this is not an expression in CEL');
    const at = wordBefore(text, stop);
    const found = text[at];
    const hint = hintAt(text, at);
    throw new CelError(
      'CEL_SYNTAX',
      at,
      found === undefined || (hint === '' && UNFINISHED.test(text.slice(at)))
        ? 'the expression ends too early'
        : `${JSON.stringify(found)} is not expected here${hint}`,
    );
  }
}

/** The parser goes back to the brackets that it cannot read: `.` in `pay.all(p, 5 euro)`. The fault is in a part of them. */
function innermost(text: string, at: number | undefined): number | undefined {
  if (at === undefined) return undefined;
  BEFORE_BRACKET.lastIndex = at;
  const name = BEFORE_BRACKET.exec(text)?.[0];
  if (name === undefined) return at;
  for (const [start, end] of partsInBrackets(text, at + name.length)) {
    const part = text.slice(start, end);
    const inside = innermost(part, faultIn(part));
    if (inside !== undefined) return start + inside;
  }
  return at;
}

function faultIn(text: string): number | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return offsetOf(error);
  }
}

const BEFORE_BRACKET = /\.?\s*\w*\s*(?=[([])/y;

/** The parser's errors have the place of the fault. */
const Located = Compile(Type.Object({ location: Type.Object({ start: Type.Object({ offset: Type.Integer() }) }) }));
const offsetOf = (error: unknown) => (Located.Check(error) ? error.location.start.offset : undefined);

/** An operator with nothing on its right. */
const UNFINISHED = /^[-+*/%<>=!&|?:.]{1,2}\s*(?:\/\/[^\n]*)?(?:$|[)\],])/;

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['_&&_', '&&'],
  ['_||_', '||'],
  ['!_', '!'],
  ['-_', '-'],
  ['_==_', '=='],
  ['_!=_', '!='],
  ['_<_', '<'],
  ['_<=_', '<='],
  ['_>_', '>'],
  ['_>=_', '>='],
  ['_+_', '+'],
  ['_-_', '-'],
  ['_*_', '*'],
  ['_/_', '/'],
  ['@in', 'in'],
  ['_?_:_', '?:'],
]);
/** Chains of these become one node, however long they are. */
const CHAINED: ReadonlySet<string> = new Set(['_&&_', '_||_', '_+_']);
const NUMBER = /-?(?:0x[0-9a-fA-F]+|[0-9.]+(?:[eE][+-]?[0-9]+)?)/y;

class Converter {
  readonly #text: string;
  readonly #info: Parsed['sourceInfo'];

  constructor(text: string, info: Parsed['sourceInfo']) {
    this.#text = text;
    this.#info = info;
  }

  convert(expr: Expr, depth: number): Syntax {
    const mark = this.#positionOf(expr);
    if (depth > MAX_DEPTH) throw new CelError('TOO_DEEP', mark, `this nests deeper than ${MAX_DEPTH} levels`);
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return this.#constant(exprKind.value, mark);
      case 'identExpr':
        return { kind: 'name', name: exprKind.value.name, at: mark, mark };
      case 'selectExpr':
        return this.#select(exprKind.value, mark, depth);
      case 'callExpr':
        return this.#call(expr, exprKind.value, mark, depth);
      case 'listExpr': {
        const items = exprKind.value.elements.map((item) => this.convert(item, depth + 1));
        return { kind: 'list', items, at: mark, mark };
      }
      case 'comprehensionExpr':
        return this.#macro(expr, exprKind.value, mark, depth);
      default:
        throw new CelError('CEL_UNSUPPORTED', mark, 'maps and messages in braces are not supported');
    }
  }

  #positionOf({ id }: Expr): number {
    const at = this.#info?.positions[String(id)] ?? 0;
    // The parser counts white space before an operator to it.
    return at + (/^\s*/.exec(this.#text.slice(at))?.[0].length ?? 0);
  }

  #constant({ constantKind }: Kind<'constExpr'>, at: number): Syntax {
    switch (constantKind.case) {
      case 'boolValue':
        return { kind: 'bool', value: constantKind.value, at, mark: at };
      case 'stringValue':
        return { kind: 'string', value: constantKind.value, at, mark: at };
      case 'int64Value':
      case 'doubleValue':
        return { kind: 'number', text: this.#digitsOf(constantKind.value, at), at, mark: at };
      case 'uint64Value':
        throw new CelError('CEL_UNSUPPORTED', at, 'unsigned numbers are not supported: write the number without u');
      case 'bytesValue':
        throw new CelError('CEL_UNSUPPORTED', at, 'bytes are not supported: write a text without b');
      default:
        throw new CelError('CEL_UNSUPPORTED', at, 'null is not supported: for what is not there, write !has(args.x)');
    }
  }

  /** The written digits of a number: a double would have lost some. */
  #digitsOf(value: bigint | number, at: number): string {
    NUMBER.lastIndex = at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text !== undefined && Number(text.replace(/^-/, '')) === Math.abs(Number(value))) return text;
    throw new CelError('CEL_SYNTAX', at, 'this number cannot be read');
  }

  #select({ operand, field, testOnly }: Kind<'selectExpr'>, mark: number, depth: number): Syntax {
    const converted = this.convert(defined(operand), depth + 1);
    const name = this.#text.indexOf(field, mark);
    const select = {
      kind: 'select',
      operand: converted,
      field,
      at: converted.at,
      mark: name < 0 ? mark : name,
    } as const;
    return testOnly ? { kind: 'call', name: 'has', args: [select], at: mark, mark } : select;
  }

  #call(expr: Expr, { function: name, target, args }: Kind<'callExpr'>, mark: number, depth: number): Syntax {
    if (target !== undefined) {
      const where = this.#text.indexOf(name, mark);
      throw new CelError('CEL_UNSUPPORTED', where < 0 ? mark : where, unknownMethod(name));
    }
    if (name === '_[_]') {
      const [operand, key] = args.map((arg) => this.convert(arg, depth + 1));
      const { at } = defined(operand);
      return { kind: 'index', operand: defined(operand), key: defined(key), at, mark };
    }
    if (name === '_%_')
      throw new CelError('CEL_UNSUPPORTED', mark, `% is not supported: for a % 3, write ${REMAINDER}`);
    const operator = OPERATORS.get(name);
    if (operator === undefined) {
      return { kind: 'call', name, args: args.map((arg) => this.convert(arg, depth + 1)), at: mark, mark };
    }
    this.#refuseNegatedKey(operator, args);
    const parts = CHAINED.has(name) ? chain(expr, name) : args;
    const operands = parts.map((arg) => this.convert(arg, depth + 1));
    return {
      kind: 'operator',
      operator,
      operands,
      at: Math.min(mark, ...operands.slice(0, 1).map(({ at }) => at)),
      mark,
    };
  }

  /** `!a in b` is `(!a) in b`, which is never meant. */
  #refuseNegatedKey(operator: Operator, [key]: readonly Expr[]): void {
    const isNegated = key?.exprKind.case === 'callExpr' && key.exprKind.value.function === '!_';
    if (operator !== 'in' || !isNegated) return;
    const at = this.#positionOf(key);
    const written = /^!\s*(.*?)\s+in\b/s.exec(this.#text.slice(at))?.[1] ?? '…';
    throw new CelError('CEL_SYNTAX', at, `this ! belongs to ${written} alone: write !(${written} in …)`);
  }

  #macro(expr: Expr, { iterRange, iterVar, loopStep }: Kind<'comprehensionExpr'>, mark: number, depth: number): Syntax {
    const call = this.#info?.macroCalls[String(expr.id)]?.exprKind;
    const name = call?.case === 'callExpr' ? call.value.function : '';
    const at = Math.max(mark, this.#text.indexOf(name, mark));
    // The expansion of all and exists combines the result so far with the body.
    const body = loopStep?.exprKind.case === 'callExpr' ? loopStep.exprKind.value.args[1] : undefined;
    if ((name !== 'all' && name !== 'exists') || iterRange === undefined || body === undefined)
      throw new CelError('CEL_UNSUPPORTED', at, unknownMethod(name));
    const range = this.convert(iterRange, depth + 1);
    return {
      kind: 'macro',
      name,
      range,
      binder: iterVar,
      body: this.convert(body, depth + 1),
      at: range.at,
      mark: at,
    };
  }
}

/** The operands of a chain of one operator, in order. The parser nests them, in either direction. */
function chain(expr: Expr, name: string): readonly Expr[] {
  const operands: Expr[] = [];
  const pending = [expr];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { exprKind } = next;
    if (exprKind.case === 'callExpr' && exprKind.value.function === name && exprKind.value.target === undefined) {
      pending.push(...exprKind.value.args.toReversed());
    } else operands.push(next);
  }
  return operands;
}

// An oracle for expressions: a plain interpreter of the JSON form, written without the engine's code. Numbers are exact, in
// billionths. Times are microseconds.

/** What a value is that has no value. */
export const NOTHING = null;
export type Scalar = bigint | boolean | string;
export type Meaning = Scalar | null;

const UNIT = 1_000_000_000n;
export const exact = (value: number): bigint => BigInt(value) * UNIT;
/** An exact number as a small integer. Undefined if it has no value. */
export const integerOf = (value: Meaning): number | undefined =>
  typeof value === 'bigint' ? Number(value / UNIT) : undefined;
/** The numerator and the number of decimals of an exact number. */
export function decimalOf(value: bigint, scale = 9): { readonly numerator: bigint; readonly scale: number } {
  return scale > 0 && value % 10n === 0n ? decimalOf(value / 10n, scale - 1) : { numerator: value, scale };
}
/** The exact number of a decimal text. */
export function exactText(text: string): bigint {
  const [, decimals = ''] = text.split('.');
  return (BigInt(text.replace('.', '')) * UNIT) / 10n ** BigInt(decimals.length);
}
const toMeaning = (value: number | Scalar | null): Meaning => (typeof value === 'number' ? exact(value) : value);

export interface Act {
  readonly step: string;
  readonly position: number;
  readonly arg: Row;
  readonly resp: Row;
  /** Lists among the arguments and in the response, by name. The value of an element alone is called ''. */
  readonly lists?: Readonly<Record<string, readonly Row[]>>;
  readonly started: number;
  readonly ended: number;
  /** Whether its times are known. Of actions that may follow, the order of the list decides. */
  readonly isDone: boolean;
}

/** Null: an optional part is not there. */
type Row = Readonly<Record<string, number | Scalar | null>>;

export interface Table {
  readonly key: readonly string[];
  readonly rows: readonly Row[];
}

type Bound = { readonly act: Act } | { readonly row: Row } | { readonly item: Row };

export interface World {
  readonly tables: Readonly<Record<string, Table>>;
  readonly names: Readonly<Record<string, Row>>;
  readonly map: ReadonlyMap<number, number>;
  readonly acts: readonly Act[];
  readonly own?: Act;
  readonly approvals: readonly { readonly at: number; readonly group: string }[];
  readonly bound: ReadonlyMap<string, Bound>;
}

/** Whether one action has ended when a later one of the list starts. */
export const hasEnded = (one: Act, later: Act): boolean => !one.isDone || !later.isDone || one.ended <= later.started;

/** How many approvals the plans of the tests need. */
export const NEEDED = 2;

export function meaningOf(expression: unknown, world: World): Meaning {
  if (typeof expression === 'number') return exact(expression);
  if (!Array.isArray(expression)) throw new TypeError('not an expression');
  const [op, ...args]: readonly unknown[] = expression;
  const inner = (index: number) => meaningOf(args[index], world);
  switch (op) {
    case 'int':
    case 'dec':
    case 'duration':
      return exactText(String(args[0]));
    case 'bool':
      return args[0] === true;
    case 'enum':
    case 'str':
      return String(args[0]);
    case 'and':
      return args.reduce<Meaning>((so, _, index) => both(so, inner(index)), true);
    case 'or':
      return not(args.reduce<Meaning>((so, _, index) => both(so, not(inner(index))), true));
    case 'not':
      return not(inner(0));
    case 'implies':
      return not(both(inner(0), not(inner(1))));
    case 'ite': {
      const condition = inner(0);
      return condition === NOTHING ? NOTHING : inner(condition ? 1 : 2);
    }
    case 'in':
      return lookUp(args, world, (row) => row !== undefined);
    case 'look':
      return lookUp([args[0], args[2]], world, (row) =>
        row === undefined ? NOTHING : toMeaning(given(row[String(args[1])])),
      );
    case 'at': {
      const key = integerOf(meaningOf(args[2], world));
      return key === undefined ? NOTHING : exact(world.map.get(key) ?? 0);
    }
    case 'forall':
    case 'exists':
    case 'count':
    case 'sum':
    case 'least':
    case 'greatest':
    case 'unique':
      return aggregate(op, args, world);
    case 'before': {
      const [one, other] = [actOf(args[0], world), actOf(args[1], world)];
      return one.position < other.position && hasEnded(one, other);
    }
    case 'run':
      return args[0] === 'approvals' ? exact(world.approvals.length) : exact(approvedAt(world));
    case 'has':
      return meaningOf(args[0], world) !== NOTHING;
    case 'approved_by':
      return world.approvals.some(({ group }) => group === args[0]);
    default:
      return isName(op)
        ? nameOf(op, args, world)
        : calculate(
            String(op),
            args.map((_, index) => inner(index)),
          );
  }
}

const isName = (op: unknown): op is string =>
  ['arg', 'resp', 'state', 'var', 'final', 'ev', 'started', 'ended', 'col', 'item'].includes(String(op));

function nameOf(op: string, [first, second]: readonly unknown[], world: World): Meaning {
  if (op === 'started' || op === 'ended') {
    return exact((first === undefined ? given(world.own) : actOf(first, world))[op]);
  }
  const bound = world.bound.get(String(first));
  if (op === 'col' && bound !== undefined && 'row' in bound) return toMeaning(given(bound.row[String(second)]));
  if (op === 'item' && bound !== undefined && 'item' in bound)
    return toMeaning(given(bound.item[String(second ?? '')]));
  if (second !== undefined && (op === 'arg' || op === 'resp'))
    return toMeaning(given(actOf(first, world)[op][String(second)]));
  return toMeaning(given(world.names[op]?.[String(first)]));
}

function actOf(name: unknown, { bound }: World): Act {
  const element = bound.get(String(name));
  if (element === undefined || !('act' in element)) throw new TypeError('not an action');
  return element.act;
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a name has no value');
  return value;
}

const approvedAt = ({ approvals }: World): number =>
  given(approvals.map(({ at }) => at).toSorted((a, b) => a - b)[NEEDED - 1]);

function lookUp([name, keys]: readonly unknown[], world: World, read: (row: Row | undefined) => Meaning): Meaning {
  const { key, rows } = given(world.tables[String(name)]);
  const values = Array.isArray(keys) ? keys.map((part) => meaningOf(part, world)) : [];
  if (values.includes(NOTHING)) return NOTHING;
  return read(rows.find((row) => key.every((column, index) => toMeaning(given(row[column])) === values[index])));
}

function not(value: Meaning): Meaning {
  return value === NOTHING ? NOTHING : !value;
}

/** Strong Kleene logic: one false operand decides. */
function both(one: Meaning, other: Meaning): Meaning {
  if (one === false || other === false) return false;
  return one === NOTHING || other === NOTHING ? NOTHING : true;
}

function calculate(op: string, values: readonly Meaning[]): Meaning {
  if (values.includes(NOTHING)) return NOTHING;
  const [left, right] = values;
  if (op === '=' || op === 'iff') return left === right;
  if (op === '!=') return left !== right;
  const numbers = values.map(numberOf);
  const [a = 0n, b = 0n] = numbers;
  switch (op) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '+':
      return numbers.reduce((sum, one) => sum + one, 0n);
    case '-':
      return numbers.length === 1 ? -a : numbers.slice(1).reduce((rest, one) => rest - one, a);
    case '*':
      return (a * b) / UNIT;
    case 'div':
      return quotient(a / UNIT, b / UNIT) * UNIT;
    case 'min':
      return leastOf(numbers);
    case 'max':
      return greatestOf(numbers);
    default:
      throw new TypeError(`${op} is unknown`);
  }
}

/** @throws {TypeError} if the value is not a number */
export function numberOf(value: Meaning): bigint {
  if (typeof value !== 'bigint') throw new TypeError('the value is not a number');
  return value;
}

const inOrder = (numbers: readonly bigint[]) => numbers.toSorted((a, b) => (a < b ? -1 : 1));
const leastOf = (numbers: readonly bigint[]) => given(inOrder(numbers)[0]);
const greatestOf = (numbers: readonly bigint[]) => given(inOrder(numbers).at(-1));

/** By the definition: a = by * quotient + rest, with 0 <= rest < |by|. */
function quotient(a: bigint, by: bigint): bigint {
  for (let rest = 0n; rest < (by < 0n ? -by : by); rest += 1n) {
    if ((a - rest) % by === 0n) return (a - rest) / by;
  }
  throw new TypeError('no remainder was found');
}

function elementsOf(range: unknown, world: World): readonly Bound[] {
  const { acts, tables } = world;
  if (Array.isArray(range) && (range[0] === 'arg' || range[0] === 'resp')) {
    const act = range.length === 2 ? given(world.own) : actOf(range[1], world);
    return given(act.lists?.[String(range.at(-1))]).map((item) => ({ item }));
  }
  if (Array.isArray(range)) return given(tables[String(range[1])]).rows.map((row) => ({ row }));
  return acts.filter(({ step }) => step === range).map((act) => ({ act }));
}

function aggregate(op: string, [range, binder, body, condition]: readonly unknown[], world: World): Meaning {
  const inside = elementsOf(range, world).map((element) => {
    return { ...world, bound: new Map([...world.bound, [String(binder), element]]) };
  });
  switch (op) {
    case 'forall':
      return inside.reduce<Meaning>((so, one) => both(so, meaningOf(body, one)), true);
    case 'exists':
      return not(inside.reduce<Meaning>((so, one) => both(so, not(meaningOf(body, one))), true));
    case 'unique':
      return unique(body, condition, inside);
    case 'count':
      return amount('sum', 1, body, inside);
    default:
      return amount(op, body, condition, inside);
  }
}

function amount(op: string, body: unknown, condition: unknown, worlds: readonly World[]): Meaning {
  const values: bigint[] = [];
  for (const world of worlds) {
    const counts = condition === undefined ? true : meaningOf(condition, world);
    if (counts === NOTHING) return NOTHING;
    if (!counts) continue;
    const value = meaningOf(body, world);
    if (value === NOTHING) return NOTHING;
    values.push(numberOf(value));
  }
  if (op === 'sum') return values.reduce((sum, value) => sum + value, 0n);
  if (values.length === 0) return NOTHING;
  return op === 'least' ? leastOf(values) : greatestOf(values);
}

function unique(keys: unknown, condition: unknown, worlds: readonly World[]): Meaning {
  const list: readonly unknown[] = Array.isArray(keys) ? keys : [];
  let so: Meaning = true;
  for (const [index, one] of worlds.entries()) {
    for (const other of worlds.slice(0, index)) {
      const equal = list.map((key) => calculate('=', [meaningOf(key, one), meaningOf(key, other)]));
      const counts = condition === undefined ? [] : [meaningOf(condition, one), meaningOf(condition, other)];
      let isPair: Meaning = true;
      const parts: readonly Meaning[] = [...equal, ...counts];
      for (const part of parts) isPair = both(isPair, part);
      so = both(so, not(isPair));
    }
  }
  return so;
}

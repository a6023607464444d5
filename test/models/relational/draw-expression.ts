import type { Random } from './random.ts';

/** What an expression may refer to. */
export interface Words {
  /** Numbers by name: `["arg","a"]` and so on. */
  readonly numbers: readonly unknown[];
  /** Values of the enum `e`. */
  readonly enums: readonly unknown[];
  /** Times of the action itself. Undefined: expressions do not refer to times. */
  readonly times: readonly unknown[] | undefined;
  /** Steps that can be aggregated over. */
  readonly steps: readonly string[];
  /** Where maps are known. */
  readonly maps: 'state' | 'final' | undefined;
  readonly binders: readonly Binder[];
  readonly hasRunFacts: boolean;
  /** Whether actions have the optional `o` and the list `l`, and responses the optional `p` and the list `q`. */
  readonly hasParts?: boolean;
}

interface Binder {
  readonly name: string;
  readonly kind: 'step' | 'table' | 'l' | 'q';
}

const ORDERS = ['<', '<=', '>', '>=', '=', '!='] as const;

/** A condition over these words, nested at most this deep. */
export function drawCondition(random: Random, words: Words, depth: number): unknown {
  if (depth > 0 && random.chance(0.45)) return drawNested(random, words, depth - 1);
  const optional = words.hasParts && random.chance(0.25) ? optionalIn(words) : [];
  if (optional.length > 0) return ['has', optional[random.below(optional.length)]];
  switch (random.below(7)) {
    case 0:
      return ['in', 't', [drawNumber(random, words, 0)]];
    case 1:
      return enumsIn(words).length === 0 ? ['bool', true] : drawEnums(random, words);
    case 2:
      return drawOrder(random, words) ?? [random.pick(ORDERS), drawNumber(random, words, depth), random.below(4)];
    case 3:
      return drawTimes(random, words) ?? [random.pick(ORDERS), drawNumber(random, words, depth), random.below(4)];
    case 4:
      if (words.hasRunFacts && random.chance(0.5)) {
        return random.pick([
          ['approved_by', 'g'],
          ['approved_by', 'late'],
          ['>=', ['run', 'approvals'], 3],
        ]);
      }
      return ['=', drawNumber(random, words, depth), drawNumber(random, words, depth)];
    default:
      return [random.pick(ORDERS), drawNumber(random, words, depth), drawNumber(random, words, depth)];
  }
}

function drawNested(random: Random, words: Words, depth: number): unknown {
  const condition = () => drawCondition(random, words, depth);
  switch (random.below(8)) {
    case 0:
      return ['and', condition(), condition()];
    case 1:
      return ['or', condition(), condition()];
    case 2:
      return ['not', condition()];
    case 3:
      return ['implies', condition(), condition()];
    case 4:
      return random.pick([
        ['iff', condition(), condition()],
        ['ite', condition(), condition(), condition()],
      ]);
    default:
      return drawQuantified(random, words, depth);
  }
}

function drawQuantified(random: Random, words: Words, depth: number): unknown {
  const bound = bind(random, words);
  if (bound === undefined) return drawCondition(random, words, depth);
  const { range, name, inside } = bound;
  if (random.chance(0.25)) {
    const keys = random.chance(0.3)
      ? [drawNumber(random, inside, 0), drawNumber(random, inside, 0)]
      : [drawNumber(random, inside, 0)];
    const unique = ['unique', range, name, keys];
    return random.chance(0.3) ? [...unique, drawCondition(random, inside, depth)] : unique;
  }
  const op = random.pick(['forall', 'exists']);
  // Joins, as plans have them: an equality between the elements of two ranges.
  if (random.chance(0.5)) {
    const join = ['=', drawNumber(random, inside, 0), drawNumber(random, random.chance(0.5) ? words : inside, 0)];
    const rest = drawCondition(random, inside, depth);
    return [op, range, name, op === 'forall' ? ['implies', join, rest] : ['and', join, rest]];
  }
  return [op, range, name, drawCondition(random, inside, depth)];
}

/** A number over these words. */
export function drawNumber(random: Random, words: Words, depth: number): unknown {
  const leaves: readonly [unknown, ...unknown[]] = [random.below(4), ...numbersIn(words)];
  if (depth === 0 || random.chance(0.4)) return random.chance(0.15) ? drawLookup(random, words) : random.pick(leaves);
  const inner = () => drawNumber(random, words, depth - 1);
  switch (random.below(9)) {
    case 0:
      return ['+', inner(), inner()];
    case 1:
      return ['-', inner(), inner()];
    case 2:
      return random.pick([
        ['*', random.below(3), inner()],
        ['*', inner(), inner()],
        ['div', inner(), 2],
        ['min', inner(), inner()],
        ['max', inner(), inner()],
      ]);
    case 3:
      return ['ite', drawCondition(random, words, depth - 1), inner(), inner()];
    case 4:
      return words.maps === undefined ? inner() : ['at', words.maps, 'm', inner()];
    case 5:
      return drawLookup(random, words);
    default:
      return drawAmount(random, words, depth - 1);
  }
}

const drawLookup = (random: Random, words: Words): unknown => [
  'look',
  't',
  random.pick(['v', 'k']),
  [random.pick([random.below(4), ...numbersIn(words)])],
];

function drawAmount(random: Random, words: Words, depth: number): unknown {
  const bound = bind(random, words);
  if (bound === undefined) return drawNumber(random, words, depth);
  const { range, name, inside } = bound;
  const condition = () =>
    random.chance(0.5)
      ? ['=', drawNumber(random, inside, 0), drawNumber(random, words, 0)]
      : drawCondition(random, inside, depth);
  if (random.chance(0.3)) return random.chance(0.3) ? ['count', range] : ['count', range, name, condition()];
  const isList = Array.isArray(range) && range[0] !== 'table';
  const op = isList ? 'sum' : random.pick(['sum', 'sum', 'least', 'greatest']);
  const amount = [op, range, name, drawNumber(random, inside, Math.min(depth, 1))];
  return random.chance(0.5) ? [...amount, condition()] : amount;
}

function bind(random: Random, words: Words) {
  if (words.binders.length >= 3) return undefined;
  const name = `x${words.binders.length}`;
  const lists = words.hasParts ? listsIn(words) : [];
  if (lists.length > 0 && random.chance(0.5)) {
    const range = lists[random.below(lists.length)] ?? [];
    const kind = range.at(-1) === 'l' ? 'l' : 'q';
    return { range, name, inside: { ...words, binders: [...words.binders, { name, kind } as const] } };
  }
  const kinds: Binder['kind'][] = ['table', ...words.steps.flatMap(() => ['step', 'step'] as const)];
  const kind = kinds[random.below(kinds.length)] ?? 'table';
  const step = words.steps[random.below(words.steps.length)];
  const range = kind === 'step' ? step : ['table', 't'];
  return { range, name, inside: { ...words, binders: [...words.binders, { name, kind }] } };
}

/** Lists of the action itself and of bound ones. */
function listsIn({ numbers, binders }: Words): readonly (readonly unknown[])[] {
  const owns = (word: string) => numbers.some((each) => Array.isArray(each) && each[0] === word && each.length === 2);
  return [
    ...(owns('arg') ? [['arg', 'l']] : []),
    ...(owns('resp') ? [['resp', 'q']] : []),
    ...binders.flatMap(({ name, kind }) =>
      kind === 'step'
        ? [
            ['arg', name, 'l'],
            ['resp', name, 'q'],
          ]
        : [],
    ),
  ];
}

/** Parts that may be missing. */
const optionalIn = ({ numbers, binders }: Words): readonly (readonly unknown[])[] => [
  ...(numbers.some((each) => Array.isArray(each) && each[0] === 'arg') ? [['arg', 'o']] : []),
  ...binders.flatMap(({ name, kind }) => {
    if (kind === 'step')
      return [
        ['arg', name, 'o'],
        ['resp', name, 'p'],
      ];
    return kind === 'l' ? [['item', name, 'w']] : [];
  }),
];

const numbersIn = ({ numbers, binders, hasParts }: Words): readonly unknown[] => [
  ...numbers,
  ...binders.flatMap(({ name, kind }) => {
    if (kind === 'step')
      return [
        ['arg', name, 'a'],
        ['arg', name, 'a'],
        ['resp', name, 'r'],
        ...(hasParts
          ? [
              ['arg', name, 'o'],
              ['resp', name, 'p'],
              ['count', ['arg', name, 'l']],
            ]
          : []),
      ];
    if (kind === 'q') return [['item', name]];
    if (kind === 'l')
      return [
        ['item', name, 'v'],
        ['item', name, 'w'],
      ];
    return [
      ['col', name, 'v'],
      ['col', name, 'k'],
    ];
  }),
];

const enumsIn = ({ enums, binders }: Words): readonly unknown[] => [
  ...enums,
  ...binders.flatMap(({ name, kind }) =>
    kind === 'step' ? [['arg', name, 'e']] : kind === 'table' ? [['col', name, 's']] : [],
  ),
];

function drawEnums(random: Random, words: Words): unknown {
  const all = enumsIn(words);
  const one = all[random.below(all.length)];
  const other = random.chance(0.5) ? ['enum', random.pick(['p', 'q'])] : all[random.below(all.length)];
  return [random.pick(['=', '!=']), one, other];
}

function drawOrder(random: Random, { binders }: Words): unknown {
  const actions = binders.filter(({ kind }) => kind === 'step');
  const [first, second] = random.chance(0.5) ? actions : actions.toReversed();
  return first === undefined || second === undefined ? undefined : ['before', first.name, second.name];
}

function drawTimes(random: Random, { times, binders, hasRunFacts }: Words): unknown {
  if (times === undefined) return undefined;
  const all = [
    ...times,
    ...binders.flatMap(({ name, kind }) =>
      kind === 'step'
        ? [
            ['started', name],
            ['ended', name],
          ]
        : [],
    ),
    ...(hasRunFacts ? [['run', 'approved_at']] : []),
  ];
  const [one, other] = [all[random.below(all.length)], all[random.below(all.length)]];
  if (times.length === 0 && !binders.some(({ kind }) => kind === 'step')) return undefined;
  return random.chance(0.5)
    ? [random.pick(ORDERS), one, other]
    : [random.pick(ORDERS), ['-', one, other], ['duration', `${random.below(3) * 1_000_000}`]];
}

import test from 'ava';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { generator, itemsOf } from '../../models/instances.ts';
import { sharedZ3 } from '../../models/open-z3.ts';

const z3 = await sharedZ3();
const SIZE = 14;
const places = Array.from({ length: SIZE }, (_, place) => place);

/** A random instance: two columns for objectives, a capacity, a least sum, groups and a number of items. */
function instance(seed: number) {
  const random = generator(seed);
  const column = (below: number) => places.map(() => random(below));
  const columns = { p: column(12), w: column(40), u: column(40).map((value) => value - 20) };
  const groups = [0, 1, 2].map(() => places.filter(() => random(4) === 0));
  const choose = { min: 3 + random(3), max: 6 + random(4) };
  return { columns, groups, choose, room: 60 + random(120), least: random(60) };
}

type Asked = ReturnType<typeof instance>;

const sum = (values: readonly number[]) =>
  `(+ 0 ${values.map((value, place) => `(ite b${place} ${value < 0 ? `(- ${-value})` : value} 0)`).join(' ')})`;
const ones = (group: readonly number[]) => sum(places.map((place) => (group.includes(place) ? 1 : 0)));

/** Whether a valid choice exists for which a term is true. */
function exists({ columns, groups, choose, room, least }: Asked, term: string): boolean {
  const terms = [
    `(<= ${choose.min} ${ones(places)})`,
    `(<= ${ones(places)} ${choose.max})`,
    `(<= ${sum(columns.w)} ${room})`,
    `(<= ${least} ${sum(columns.u)})`,
    ...groups.map((group) => `(<= ${ones(group)} 1)`),
    term,
  ];
  const { status } = z3.check({
    constants: new Map(places.map((place) => [`b${place}`, 'Bool'])),
    assertions: terms.map((each, index) => ({ name: `c${index}`, term: each })),
    rlimit: 20_000_000,
  });
  if (status === 'unknown') throw new Error('z3 does not know');
  return status === 'sat';
}

test('z3 finds no better choice, confirms infeasibility, and finds the choice itself', (t) => {
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 30; seed += 1) {
    const asked = instance(seed);
    const { columns, groups, choose, room, least } = asked;
    const answer = exactSelect({
      scale: 0,
      items: itemsOf({ ...columns, n: columns.u.map((value) => -value) }, SIZE),
      choose,
      capacities: [
        { of: 'w', max: `${room}` },
        { of: 'n', max: `${-least}` },
      ],
      at_most_one: groups.map((group) => group.map((place) => `i${String(place).padStart(3, '0')}`)),
      objectives: [
        { of: 'p', direction: 'maximize' },
        { of: 'w', direction: 'minimize' },
      ],
    });
    outcomes.add(answer.outcome);
    if (answer.totals === null) {
      t.false(exists(asked, 'true'));
      continue;
    }
    const { p, w } = answer.totals;
    t.false(exists(asked, `(< ${p} ${sum(columns.p)})`));
    t.false(exists(asked, `(and (= ${p} ${sum(columns.p)}) (< ${sum(columns.w)} ${w}))`));
    const chosen = places.map((place) => answer.chosen.includes(`i${String(place).padStart(3, '0')}`));
    t.true(exists(asked, `(and ${chosen.map((is, place) => (is ? `b${place}` : `(not b${place})`)).join(' ')})`));
  }
  t.deepEqual(outcomes, new Set(['optimal', 'infeasible']));
});

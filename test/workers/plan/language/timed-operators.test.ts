import test from 'ava';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import type { Scope } from '../../../../workers/plan/language/site.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { asTruth, knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { refuses } from '../../verdict/thrown.ts';

const SCOPE: Scope = {
  names: { var: new Map([['n', { type: 'int', min: 0n, max: 9n }]]) },
  relations: { tables: new Map(), maps: undefined, hasOwnTimes: false, hasRunFacts: false },
};
const parse = (json: unknown) => parseExpression(json, { type: { type: 'bool' }, scope: SCOPE, path: '/expr' });

const SITUATION = traceRun(readPlan(REFUND_PLAN), []).end;

const time = (second: number) => ['time', `2026-11-02T00:00:0${second}.000000Z`];
const duration = (seconds: number) => ['duration', `${seconds * 1_000_000}`];
const SUM = ['+', ['var', 'n'], 1];

const TRUE: readonly unknown[] = [
  ['=', ['-', time(5), time(2)], duration(3)],
  ['=', ['-', time(5), time(2), duration(1)], duration(2)],
  ['=', ['-', time(5), duration(1), duration(2)], time(2)],
  ['=', ['-', duration(5), duration(1), duration(2)], duration(2)],
  ['=', ['-', duration(5)], duration(-5)],
  ['=', ['+', duration(1), time(2), duration(3)], time(6)],
  ['=', ['+', duration(1), duration(2)], duration(3)],
  ['=', ['*', duration(2), 3], duration(6)],
  ['=', ['*', 3, duration(2)], duration(6)],
  ['=', ['*', ['-', duration(2)], 3], duration(-6)],
  ['=', ['min', duration(2), duration(1), duration(3)], duration(1)],
  ['=', ['max', duration(2), duration(3), duration(1)], duration(3)],
  ['=', ['min', time(2), time(1)], time(1)],
  ['=', ['max', time(2), time(1)], time(2)],
  ['<', time(1), time(2)],
  ['>=', duration(2), duration(2)],
  ['not', ['>', duration(2), duration(2)]],
  ['<', 1, 2],
  ['=', ['min', 2, ['-', 3]], ['-', 3]],
];
for (const json of TRUE) {
  test(`${JSON.stringify(json)} is true`, (t) => {
    t.is(knownOutcome(asTruth(elaborate(parse(json), SITUATION))), true);
  });
}

const REFUSED: readonly (readonly [unknown, string, string])[] = [
  [['+', time(1), time(2)], 'TYPE_MISMATCH', '/2'],
  [['+', time(1), 2], 'TYPE_MISMATCH', '/2'],
  [['-', time(1)], 'TYPE_MISMATCH', '/1'],
  [['-', 2, duration(1)], 'TYPE_MISMATCH', '/1'],
  [['-', duration(1), time(1)], 'TYPE_MISMATCH', '/2'],
  [['-', time(3), time(2), time(1)], 'TYPE_MISMATCH', '/3'],
  [['-', time(3), 2], 'TYPE_MISMATCH', '/2'],
  [['*', time(1), 2], 'TYPE_MISMATCH', '/1'],
  [['*', duration(1), duration(2)], 'TYPE_MISMATCH', '/1'],
  [['*', duration(1), ['dec', '1.5']], 'NOT_A_LITERAL', '/2'],
  [['*', duration(1), SUM], 'NOT_A_LITERAL', '/2'],
  [['*', duration(1), ['str', '2']], 'NOT_A_LITERAL', '/2'],
  [['min', duration(1), time(1)], 'TYPE_MISMATCH', '/2'],
  [['min', ['str', 'x'], time(1)], 'TYPE_MISMATCH', '/1'],
  [['max', time(1), 2], 'TYPE_MISMATCH', '/2'],
];
for (const [json, code, at] of REFUSED) {
  test(`${JSON.stringify(json)} is refused: ${code}`, (t) => {
    refuses(t, () => parse(['=', json, time(1)]), code, `/expr/1${at}`);
  });
}

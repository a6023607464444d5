import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { isFolded } from '../../../../workers/exact/fold-text.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import { createTexts } from '../../../../workers/verdict/decide/texts.ts';

const STRING: ValueType = { type: 'string', max: 8 };

test('every string variable has a fresh text, also if they do not all fit below the surrogates', (t) => {
  const count = 60_000;
  const texts = createTexts(new Array<ValueType>(count).fill(STRING), []);
  t.is(texts.countUpTo(1), BigInt(count) + 1n);
  const last = defined(texts.textOf(BigInt(count)));
  t.true(last.isWellFormed());
  t.is(texts.codeOf(last), BigInt(count));
});

test('fresh texts are folded, so that they are values of every argument', (t) => {
  const count = 500;
  const texts = createTexts(new Array<ValueType>(count).fill(STRING), [
    { op: '=', left: { op: 'literal', value: 'Ben' }, right: { op: 'literal', value: 'b ' } },
  ]);
  const fresh = Array.from({ length: count + 3 }, (_, code) => defined(texts.textOf(BigInt(code))));
  t.deepEqual(
    fresh.filter((text) => !isFolded(text, 'email')),
    ['b ', 'Ben'],
  );
  t.deepEqual(
    texts.unfolded('email'),
    ['b ', 'Ben'].map((text) => texts.codeOf(text)),
  );
  t.deepEqual(texts.unfolded('trimmed'), [texts.codeOf('b ')]);
});

test('a code that is not in the domain is no text', (t) => {
  const texts = createTexts([STRING], []);
  t.deepEqual([-1n, 0n, 1n, 2n].map(texts.textOf), [undefined, '', 'a', undefined]);
});

import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTexts } from '../../../../workers/solver/language/texts.ts';
import type { ValueType } from '../../../../workers/solver/language/types.ts';

const STRING: ValueType = { type: 'string', max: 8 };

test('every string variable has a fresh text, also if they do not all fit below the surrogates', (t) => {
  const count = 60_000;
  const texts = createTexts(new Array<ValueType>(count).fill(STRING), []);
  t.is(texts.countUpTo(1), BigInt(count) + 1n);
  const last = defined(texts.textOf(BigInt(count)));
  t.true(last.isWellFormed());
  t.is(texts.codeOf(last), BigInt(count));
});

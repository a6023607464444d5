import test from 'ava';
import { FOLDS, type Fold, foldText, isFolded } from '../../../workers/exact/fold-text.ts';
import { fc } from '../../kit/fast-check.ts';

const SPELLINGS: readonly (readonly [fold: Fold, text: string, folded: string])[] = [
  ['email', 'Ben@example.org', 'ben@example.org'],
  ['email', 'ben@Example.ORG', 'ben@example.org'],
  ['email', 'ben@example.org ', 'ben@example.org'],
  ['email', '\u00a0ben@example.org\t', 'ben@example.org'],
  ['email', '\ufeffben@example.org', 'ben@example.org'],
  ['email', 'be\u200bn@exam\u00adple.org', 'ben@example.org'],
  ['email', 'ze\u0301@example.org', 'z\u00e9@example.org'],
  ['email', 'ben@B\u00fccher.example', 'ben@xn--bcher-kva.example'],
  ['email', 'ben@bu\u0308cher.example', 'ben@xn--bcher-kva.example'],
  ['email', 'ben@\uff45xample\u3002org', 'ben@example.org'],
  ['email', 'b.e.n+sale@example.org', 'b.e.n+sale@example.org'],
  ['email', 'Ben\u00e9', 'ben\u00e9'],
  ['trimmed', ' A1\u200b', 'A1'],
  ['trimmed', 'A 1', 'A 1'],
  ['trimmed', 'e\u0301', '\u00e9'],
  ['trimmed', '\u212b', '\u00c5'],
];

test('what means the same is written in one way', (t) => {
  for (const [fold, text, folded] of SPELLINGS) {
    t.is(foldText(text, fold), folded, `${fold} ${JSON.stringify(text)}`);
    t.is(isFolded(text, fold), text === folded);
  }
  t.true(isFolded('Ben ', undefined));
});

test('a folded text is its own folding', (t) => {
  const pieces = fc.constantFrom(
    '@',
    '.',
    ' ',
    'B',
    '\u0130',
    '\u0301',
    '\u0345',
    '\ufeff',
    '\u200d',
    '\u1e9e',
    '\u3002',
  );
  const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(texts, (parts) => {
      for (const fold of FOLDS) {
        const folded = foldText(parts.join(''), fold);
        t.is(foldText(folded, fold), folded);
      }
    }),
    { numRuns: 20_000 },
  );
});

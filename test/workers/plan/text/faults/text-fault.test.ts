import test from 'ava';
import { didYouMean } from '../../../../../workers/plan/text/faults/suggest.ts';
import { FaultLog, TextError } from '../../../../../workers/plan/text/faults/text-fault.ts';
import { fc } from '../../../../kit/fast-check.ts';
import { runs } from '../../../../kit/property-runs.ts';

/** What one edit makes of a name: an insertion, deletion, replacement, or swap of neighbors. */
function editsOf(name: string): readonly string[] {
  const places = Array.from(
    { length: name.length + 1 },
    (_, place) => [name.slice(0, place), name.slice(place)] as const,
  );
  return places.flatMap(([before, after]) => {
    const letters = ['a', 'b', 'c'].flatMap((letter) => [before + letter + after, before + letter + after.slice(1)]);
    return [...letters, before + after.slice(1), before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)];
  });
}

const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 7 });

test('another name is suggested if and only if one edit, or two for names of four letters and more, make it', (t) => {
  fc.assert(
    fc.property(names, names, (name, candidate) => {
      const near = new Set(editsOf(name));
      const nearer = name.length < 4 ? near : new Set([...near].flatMap((one) => [one, ...editsOf(one)]));
      // Swapped letters are not edited again, so two edits around a swap can make more than is suggested.
      const isSuggested = didYouMean(name, [candidate]) !== '';
      if (near.has(candidate) && candidate !== name) t.true(isSuggested, `${name} ${candidate}`);
      if (isSuggested) t.true(nearer.has(candidate) && candidate !== name, `${name} ${candidate}`);
    }),
    { numRuns: runs(2000), seed: 3 },
  );
});

test('a long name finds the nearest of those that begin like it, with two edits and no more', (t) => {
  const name = 'the_amount_of_the_invoice_in_the_currency_of_the_customer';
  const one = name.replace('invoice', 'invoce');
  const two = name.replace('invoice', 'invcioe');
  const three = name.replace('invoice', 'inv');
  t.is(didYouMean(name, [three, two, one]), ` Did you mean ${one}?`);
  t.is(didYouMean(name, [three, `${name}xx`]), ` Did you mean ${name}xx?`);
  t.is(didYouMean(name, [three, `${name}xxx`]), '');
});

const read = (log: FaultLog, parts: number) => {
  let count = 0;
  const result = log.readText(() => {
    for (let part = 0; part < parts; part += 1) {
      log.attempt(() => {
        count += 1;
        throw new TextError('UNKNOWN_NAME', part, `part ${part}`);
      });
    }
    return 'read';
  });
  return { count, result, faults: log.faults().length };
};

test('a text with 100 faults is read to its end, and one with more is read no further', (t) => {
  const text = 'x'.repeat(200);
  t.deepEqual(read(new FaultLog(text), 100), { count: 100, result: 'read', faults: 100 });
  t.deepEqual(read(new FaultLog(text), 200), { count: 101, result: undefined, faults: 100 });
});

test('a fault of the program is no fault of the text', (t) => {
  const log = new FaultLog('');
  t.throws(() => log.readText(() => JSON.parse('{')), { instanceOf: SyntaxError });
  t.true(log.isEmpty);
});

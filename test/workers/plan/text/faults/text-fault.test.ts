import test from 'ava';
import { FaultLog, TextError } from '../../../../../workers/plan/text/faults/text-fault.ts';

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

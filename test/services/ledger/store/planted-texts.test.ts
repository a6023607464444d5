import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { PLANTED_FILES } from './long/planted/index.ts';
import { changeFunction, listSqlFiles, readFunctions } from './long/planted/planted-function.ts';

const FAULTS_OF_EACH = 3;

test('each planted fault changes one place of its function', (t) => {
  for (const { file, faults } of PLANTED_FILES) {
    const functions = readFunctions(file);
    for (const [name, planted] of Object.entries(faults)) {
      const text = defined(functions.get(name));
      const changed = planted.map((fault) => changeFunction(text, fault));
      t.is(new Set([text, ...changed]).size, 1 + planted.length, `${file}: ${name}`);
    }
  }
});

test('each function of the ledger has at least three planted faults', (t) => {
  t.deepEqual(PLANTED_FILES.map(({ file }) => file).toSorted(), listSqlFiles());
  for (const { file, faults } of PLANTED_FILES) {
    t.deepEqual(Object.keys(faults).toSorted(), [...readFunctions(file).keys()].toSorted());
    for (const [name, { length }] of Object.entries(faults))
      t.true(length >= FAULTS_OF_EACH, `${file}: ${name} has ${length}`);
  }
});

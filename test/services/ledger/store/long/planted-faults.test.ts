import test from 'ava';
import { defined } from '../../../../../workers/exact/defined.ts';
import { PLANTED_FILES } from './planted/index.ts';
import { changeFunction, readFunctions } from './planted/planted-function.ts';
import { openPlanting } from './planting.ts';

const planting = await openPlanting(process.cwd());
test.after.always(() => planting.stop());

for (const { file, tests, faults } of PLANTED_FILES) {
  test.serial(`the tests find each fault of ${file}`, async (t) => {
    const functions = readFunctions(file);
    const paths = tests.map((path) => `test/services/${path}.test.ts`);
    await planting.pass(paths);
    const missed: string[] = [];
    for (const [name, planted] of Object.entries(faults)) {
      const original = defined(functions.get(name));
      for (const fault of planted) {
        const title = `${name}: ${fault[0]}`;
        const found = await planting.find(original, changeFunction(original, fault), paths);
        t.log(`${title}: ${found ?? 'not found'}`);
        if (found === undefined) missed.push(title);
      }
    }
    t.deepEqual(missed, []);
  });
}

import test from 'ava';
import { loadLabeledPages } from '../../../../scripts/lab/quality/loss/labeled-pages.ts';
import { lossOfLabeled } from '../../../../scripts/lab/quality/loss/loss.ts';

for (const page of loadLabeledPages()) {
  test(`a page in the structure of ${page.name} loses nothing and keeps nothing of its frame`, (t) => {
    const { lost, faults } = lossOfLabeled(page);
    t.deepEqual({ lost, faults }, { lost: [], faults: [] });
  });
}

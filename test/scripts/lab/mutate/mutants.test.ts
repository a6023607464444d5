import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { listMutants } from '../../../../scripts/lab/mutate/mutants.ts';

const SOURCE = `// Amounts, in µ-USD.
export function isTooMuch(amount: bigint, balance: bigint, label = 'none') {
  return amount * 2n > balance && label !== '';
}
`;

test('each mutant changes one place of a file, and names its line', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'mutants-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'amounts.ts'), SOURCE);
  const mutants = await listMutants(root, ['*.ts']);
  const find = (change: string) => mutants.find(({ title }) => title.endsWith(change));
  t.deepEqual(find('amount * 2n → amount / 2n'), {
    path: 'amounts.ts',
    title: 'amounts.ts:3  amount * 2n → amount / 2n',
    offset: SOURCE.indexOf('amount * 2n'),
    text: SOURCE.replace('amount * 2n', '(amount / 2n)'),
  });
  t.like(find('amount * 2n > balance → amount * 2n >= balance'), {
    text: SOURCE.replace('amount * 2n > balance', '(amount * 2n >= balance)'),
  });
  t.like(
    mutants.find(({ title }) => title.endsWith('→ {}')),
    { text: SOURCE.replace(/\{\n[\s\S]*\n\}/, '{}') },
  );
  t.is(find('\'none\' → ""'), undefined, 'texts are kept');
});

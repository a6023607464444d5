import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readExecutedCode } from '../../../../scripts/lab/mutate/executed-code.ts';

const SOURCE = `// Größen: 1 µ
type Sign = 'minus' | 'plus';
const signOf = (n: number): Sign => (n < 0 ? 'minus' : 'plus');
export function never(): string {
  return 'never';
}
const child = process.argv[2];
if (child === undefined) execFileSync(process.execPath, [import.meta.filename, signOf(1)]);
else console.log(signOf(-1).toUpperCase());
`;

test('what is executed by a process or by its children is told from what is not', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'executed-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const source = `import { execFileSync } from 'node:child_process';\n${SOURCE}`;
  writeFileSync(join(root, 'sign.ts'), source);
  const env = { ...process.env, NODE_V8_COVERAGE: join(root, 'coverage'), NODE_DISABLE_COMPILE_CACHE: '1' };
  execFileSync(process.execPath, [join(root, 'sign.ts')], { env });
  // As a process leaves it that is killed while it writes.
  writeFileSync(join(root, 'coverage/coverage-cut.json'), '{"result":[{"scriptId":"3","url":"node:in');
  const executes = readExecutedCode(join(root, 'coverage'), root);
  const at = (text: string) => executes('sign.ts', source.indexOf(text));
  t.true(at("'plus')"), 'by the first process');
  t.true(at("'minus' : 'plus')"), 'by its child');
  t.true(at('console.log'));
  t.false(at("return 'never'"));
  t.false(executes('other.ts', 0));
});

import test from 'ava';
import { readImports } from '../../../../scripts/checks/imports/read-imports.ts';

/** What the text imports. A type-only import has the prefix `type `. */
const read = (text: string) =>
  readImports('a.ts', text).map(({ specifier, typeOnly }) => `${typeOnly ? 'type ' : ''}${specifier}`);

const FORMS: Readonly<Record<string, readonly string[]>> = {
  "import './b.ts';": ['./b.ts'],
  "import b from './b.ts';": ['./b.ts'],
  "import * as b from './b.ts';": ['./b.ts'],
  "import {} from './b.ts';": ['./b.ts'],
  "import { b, type C } from './b.ts';": ['./b.ts'],
  "import b, { type C } from './b.ts';": ['./b.ts'],
  "import data from './b.json' with { type: 'json' };": ['./b.json'],
  "import type { B } from './b.ts';": ['type ./b.ts'],
  "import type B from './b.ts';": ['type ./b.ts'],
  "import type * as b from './b.ts';": ['type ./b.ts'],
  "import { type B, type C } from './b.ts';": ['type ./b.ts'],
  "export { b } from './b.ts';": ['./b.ts'],
  "export {} from './b.ts';": ['./b.ts'],
  "export * from './b.ts';": ['./b.ts'],
  "export * as b from './b.ts';": ['./b.ts'],
  "export { b, type C } from './b.ts';": ['./b.ts'],
  "export type { B } from './b.ts';": ['type ./b.ts'],
  "export type * from './b.ts';": ['type ./b.ts'],
  "export { type B } from './b.ts';": ['type ./b.ts'],
  "await import('./b.ts');": ['./b.ts'],
  'await import(`./b.ts`);': ['./b.ts'],
  "const load = () => import(/* later */ './b.ts');": ['./b.ts'],
  "type B = import('./b.ts').B;": ['type ./b.ts'],
  "let b: typeof import('./b.ts');": ['type ./b.ts'],
  "const b = require('./b.ts');": ['./b.ts'],
  "import b from './b.ts'; import type { B } from './b.ts';": ['./b.ts', 'type ./b.ts'],
  "const é = 'ü'; await import('./b.ts');": ['./b.ts'],
};

for (const [text, specifiers] of Object.entries(FORMS)) {
  test(`the reader sees an import: ${text}`, (t) => t.deepEqual(read(text), specifiers));
}

const NO_IMPORTS: readonly string[] = [
  "const text = `import './b.ts';`;",
  "// import './b.ts'; await import('./b.ts');",
  "const text = \"type B = import('./b.ts').B; require('./b.ts')\";",
  "new URL('./worker.ts', import.meta.url);",
  `await import(name); await import(\`./\${name}.ts\`); require(name);`,
  'export const b = 1; export {};',
];

for (const text of NO_IMPORTS) {
  test(`the reader sees no import: ${text}`, (t) => t.deepEqual(read(text), []));
}

test('a file that is not TypeScript is refused with its path', (t) => {
  t.throws(() => readImports('services/a.ts', 'const = 1;'), { message: /services\/a\.ts/ });
});

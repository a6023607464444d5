import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { defined } from '../../workers/exact/defined.ts';
import { bundleForBrowsers } from './browser-modules.ts';
import type { Generated } from './generated.ts';

const FOLDER = 'gateway/client';
const BUILT = `${FOLDER}/generated`;
/** What package.json exports of the client. Node strips no types of packages, and browsers of none. */
const ENTRIES = ['client', 'trial', 'file-store', 'web-store'];
const HEAD = `// Generated from ${FOLDER} by \`npm run generate\`.\n`;

/** The modules of `tollhouse/client` as JavaScript, with the declarations that their types need. */
export async function generateClient(root: string): Promise<Generated> {
  const files = new Map<string, string>();
  for (const name of ENTRIES) {
    const program = await bundleForBrowsers(root, `${FOLDER}/${name}.ts`, ['node:*']);
    files.set(`${BUILT}/${name}.mjs`, HEAD + program);
  }
  for (const [name, text] of declarationsOf(root)) files.set(`${BUILT}/${name}.d.mts`, HEAD + text);
  return { owned: `${BUILT}/*`, files };
}

function declarationsOf(root: string): ReadonlyMap<string, string> {
  const pathOf = (name: string) => join(root, FOLDER, `${name}.ts`);
  const { config } = ts.readConfigFile(join(root, 'gateway/pages/browser/tsconfig.json'), (path) =>
    readFileSync(path, 'utf8'),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'gateway/pages/browser'));
  const program = ts.createProgram(ENTRIES.map(pathOf), { ...options, noEmit: false, declaration: true });
  const texts = new Map<string, string>();
  const write = (name: string) => {
    if (texts.has(name)) return;
    program.emit(program.getSourceFile(pathOf(name)), (_, text) => texts.set(name, text), undefined, true);
    const text = defined(texts.get(name));
    for (const [, imported] of text.matchAll(/from '\.\/([\w-]+)\.ts'/g)) write(defined(imported));
    texts.set(name, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.mjs'"));
  };
  for (const name of ENTRIES) write(name);
  return texts;
}

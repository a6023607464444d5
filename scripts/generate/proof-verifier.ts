import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { defined } from '../../workers/exact/defined.ts';
import { bundleForBrowsers } from './browser-modules.ts';
import type { Generated } from './generated.ts';

const SOURCE = 'services/verification/contract/proof/verify-proof.ts';
const FOLDER = 'docs/verified-execution';
const NAME = 'verify-proof';
const WRITTEN_OUT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
const HEAD = `// Generated from ${SOURCE} by \`npm run generate\`.\n`;

/** `tollhouse/verify-proof` in one file with its types in another, and the checksums of the verifiers in their page. */
export async function generateProofVerifier(root: string): Promise<Generated> {
  const read = (name: string) => readFileSync(join(root, FOLDER, name), 'utf8');
  const program = HEAD + (await bundleForBrowsers(root, SOURCE));
  const verifiers: Readonly<Record<string, string>> = {
    [`${NAME}.mjs`]: program,
    'verify_proof.py': read('verify_proof.py'),
  };
  const page = read('proofs.md').replaceAll(/^[0-9a-f]{64}(?= {2}(\S+)$)/gm, (_, name: string) =>
    createHash('sha256').update(defined(verifiers[name])).digest('hex'),
  );
  const files = { [`${NAME}.mjs`]: program, [`${NAME}.d.mts`]: HEAD + typesOf(root), 'proofs.md': page };
  const owned = `${FOLDER}/${NAME}.*`;
  return { owned, files: new Map(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text])) };
}

/** The declarations of the module, with every type that it imports written out. */
function typesOf(root: string): string {
  const folder = join(root, 'gateway/pages/browser');
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram([join(root, SOURCE)], { ...options, noEmit: false, declaration: true });
  const checker = program.getTypeChecker();
  const source = defined(program.getSourceFile(join(root, SOURCE)));
  const imported = new Map(checker.getSymbolsInScope(source, ts.SymbolFlags.Alias).map((each) => [each.name, each]));
  const writtenOut = (_: string, name: string) => {
    const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(defined(imported.get(name))));
    return `export type ${name} = ${checker.typeToString(type, source, WRITTEN_OUT)};`;
  };
  let text = '';
  const write = (_: string, declarations: string) => {
    text = declarations.replaceAll(/^import (?:type )?\{ (?:type )?(\w+) \} from .*;$/gm, writtenOut);
  };
  program.emit(source, write, undefined, true);
  return text;
}

import { join } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/**
 * Creates the function that says whether the type checker refuses a mutant. It checks the changed file alone, in this process: a
 * compiler for each mutant would take longer than the tests.
 */
export function createTypeCheck(root: string): (mutant: Pick<Mutant, 'path' | 'text'>) => boolean {
  const { readFile, fileExists } = ts.sys;
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: ['types'] }, ts.sys, root);
  const files = new Set(ts.sys.readDirectory(join(root, 'types'), ['.ts']));
  let changed = { file: '', text: '', version: 0 };
  const service = ts.createLanguageService({
    fileExists,
    readFile,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files],
    getScriptVersion: (file) => (file === changed.file ? `${changed.version}` : '0'),
    getScriptSnapshot(file) {
      const text = file === changed.file ? changed.text : readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return ({ path, text }) => {
    const file = join(root, path);
    files.add(file);
    changed = { file, text, version: changed.version + 1 };
    return service.getSyntacticDiagnostics(file).length + service.getSemanticDiagnostics(file).length > 0;
  };
}

import { parseSync, Visitor } from 'oxc-parser';

export interface ReadImport {
  /** What stands between the quotes. */
  readonly specifier: string;
  /** Whether only types are imported, so that Node does not load the file. */
  readonly typeOnly: boolean;
}

/** Matches what may be an import that the parser's list lacks. Few files have one, and to walk through a file takes long. */
const UNLISTED = /\b(?:import|require)\s*\(|\bexport\s*\{\s*\}\s*from\b/;
/** Matches a string, or a template without expressions. */
const LITERAL = /^(['"`])([^$]*)\1$/;

/**
 * Lists what a file imports: also exports from other files, `import()` of a literal, types in `import()`, and `require`.
 * @throws {SyntaxError} if the text is not TypeScript
 */
export function readImports(path: string, text: string): readonly ReadImport[] {
  const result = parseSync(path, text);
  const [error] = result.errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  const { staticImports, staticExports, dynamicImports } = result.module;
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...staticExports.flatMap(({ entries }) => {
      const typeOnly = entries.every(({ isType }) => isType);
      return entries.slice(0, 1).flatMap(({ moduleRequest }) => {
        return moduleRequest === null ? [] : [{ specifier: moduleRequest.value, typeOnly }];
      });
    }),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const specifier = LITERAL.exec(text.slice(start, end))?.[2];
      return specifier === undefined ? [] : [{ specifier, typeOnly: false }];
    }),
    ...(UNLISTED.test(text) ? readUnlisted(result.program) : []),
  ];
}

function readUnlisted(program: Parameters<Visitor['visit']>[0]): readonly ReadImport[] {
  const found: ReadImport[] = [];
  new Visitor({
    TSImportType: ({ source }) => void found.push({ specifier: source.value, typeOnly: true }),
    ExportNamedDeclaration: ({ source, specifiers }) => {
      if (source !== null && specifiers.length === 0) found.push({ specifier: source.value, typeOnly: false });
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      const isRequire = callee.type === 'Identifier' && callee.name === 'require';
      if (isRequire && first?.type === 'Literal' && typeof first.value === 'string')
        found.push({ specifier: first.value, typeOnly: false });
    },
  }).visit(program);
  return found;
}

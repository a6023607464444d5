import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript';
import { PATHS } from '../../../gateway/client/operations.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { defined } from '../../../workers/exact/defined.ts';

const path = fileURLToPath(new URL('../../../gateway/client/operations.ts', import.meta.url));
const program = ts.createProgram([path], { strict: true, types: [], noLib: true });
const checker = program.getTypeChecker();
const source = defined(program.getSourceFile(path));
const exported = checker.getExportsOfModule(defined(checker.getSymbolAtLocation(source)));

const memberOf = (type: ts.Type, name: string): ts.Type =>
  checker.getTypeOfSymbol(defined(checker.getPropertyOfType(type, name)));

/** The members of a type, those that may be missing with a question mark. */
const membersOf = (type: ts.Type): readonly string[] =>
  checker
    .getPropertiesOfType(type)
    .map(({ name, flags }) => (flags & ts.SymbolFlags.Optional ? `${name}?` : name))
    .sort();

function declaredMembers({ properties, required }: (typeof operations)[number]['request']): readonly string[] {
  const needed: readonly string[] = required ?? [];
  return Object.keys(properties)
    .map((name) => (needed.includes(name) ? name : `${name}?`))
    .sort();
}

test('the client has the operations that are sold, with their paths and fields', (t) => {
  t.deepEqual(PATHS, Object.fromEntries(operations.map(({ name, path }) => [name, path])));
  const types = checker.getDeclaredTypeOfSymbol(defined(exported.find(({ name }) => name === 'Operations')));
  for (const { name, request, response } of operations) {
    t.deepEqual(membersOf(memberOf(memberOf(types, name), 'input')), declaredMembers(request), name);
    t.deepEqual(membersOf(memberOf(memberOf(types, name), 'result')), declaredMembers(response), name);
  }
  const address = checker.getDeclaredTypeOfSymbol(defined(exported.find(({ name }) => name === 'Address')));
  const [example] = defined(operations.find(({ name }) => name === 'geocode')).responseExample['results'] as [object];
  t.deepEqual(membersOf(address), Object.keys(example).sort());
});

import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { BOOL, convert, sortOf, type Typed } from './operands.ts';
import { checkArity, countName, type Site, type TableTypes, textAt } from './site.ts';
import type { Expression } from './terms.ts';

/** `["in","approved",[e…]]` */
export function parseMembership(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [2, 2], path);
  const { table, types } = tableAt(args, path, site);
  const keys = readKeys(args[1], types, { path: `${path}/2`, site });
  return { sort: BOOL, expression: { op: 'in', table, keys } };
}

/** `["look","approved","amount",[e…]]` */
export function parseLookup(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [3, 3], path);
  const { table, types } = tableAt(args, path, site);
  const column = textAt(args, 1, path);
  const type = types.columns.get(column);
  if (type === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/2`, `is not a column of ${table}`);
  const keys = readKeys(args[2], types, { path: `${path}/3`, site });
  return { sort: sortOf(type), expression: { op: 'look', table, column, keys, type } };
}

/** `["at","state","sent",e]`, or with `final` */
export function readAt(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [3, 3], path);
  const at = textAt(args, 0, path);
  const maps = site.relations?.maps;
  if (maps === undefined || maps.at !== at)
    throw new DocumentError('OUT_OF_SCOPE', `${path}/1`, 'cannot be referred to here');
  const map = textAt(args, 1, path);
  const types = maps.types.get(map);
  if (types === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/2`, 'is not a map of the state');
  countName(`${at} ${map}`, site, path);
  const key = convert(site.read(args[2], `${path}/3`, site), types.key);
  return { sort: sortOf(types.value), expression: { op: 'at', at: maps.at, map, key, type: types.value } };
}

function tableAt(args: readonly unknown[], path: string, { relations }: Site) {
  const table = textAt(args, 0, path);
  const types = relations?.tables.get(table);
  if (types === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/1`, 'is not a table');
  return { table, types };
}

/** The key of a row: an expression for each column of the key, of the column's type. */
function readKeys(
  json: unknown,
  { key, columns }: TableTypes,
  { path, site }: { readonly path: string; readonly site: Site },
): readonly Expression[] {
  if (!Array.isArray(json)) throw new DocumentError('MALFORMED_EXPRESSION', path, 'is not a list of expressions');
  if (json.length !== key.length) {
    throw new DocumentError('WRONG_ARITY', path, `has ${json.length} keys, and the table has ${key.length}`);
  }
  return json.map((part: unknown, index) => {
    const type = defined(columns.get(defined(key[index])));
    return convert(site.read(part, `${path}/${index}`, site), type);
  });
}

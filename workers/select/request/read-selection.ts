import { Compile } from 'typebox/schema';
import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { parseNumber } from '../../exact/numbers.ts';
import { MAX_ATTRIBUTES, nodeLimitOf, SelectionDocument } from '../../exact/selection-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import type { Selection } from './selection.ts';
import { isSelectionErrorCode, SelectionError } from './selection-error.ts';

const document = Compile(SelectionDocument);

/** Reads an unchecked selection. @throws {SelectionError} */
export function readSelection(json: unknown): Selection {
  if (!document.Check(json)) {
    const { path, message } = shapeFault(document.Errors(json)[1]);
    throw new SelectionError('MALFORMED_SELECTION', path, message);
  }
  const { scale, items, capacities = [], objectives = [] } = json;
  const order = orderOf(items);
  const places = new Map(order.map((index, place) => [defined(items[index]).id, place]));
  return {
    scale,
    ids: [...places.keys()],
    values: readValues(json, order),
    choose: json.choose ?? { min: 0, max: items.length },
    capacities: capacities.map(({ of, max }, index) => {
      return { of, max: readDecimal(max, scale, `/capacities/${index}/max`) };
    }),
    require: readIds(json.require ?? [], places, '/require'),
    forbid: readIds(json.forbid ?? [], places, '/forbid'),
    atMostOne: (json.at_most_one ?? []).map((ids, index) => readIds(ids, places, `/at_most_one/${index}`)),
    objectives: objectives.map(({ of, direction }) => ({ of, isMaximized: direction === 'maximize' })),
    nodeLimit: nodeLimitOf({
      items: items.length,
      sums: capacities.length + objectives.length,
      limit: json.node_limit,
    }),
  };
}

/** Indices of the items, ordered by their ids. Ids are ASCII, so code points are UTF-16 units. */
function orderOf(items: SelectionDocument['items']): readonly number[] {
  const seen = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) throw new SelectionError('DUPLICATE_ID', `/items/${index}/id`, 'is the id of an earlier item');
    seen.add(id);
  }
  const idOf = (index: number) => defined(items[index]).id;
  return items.map((_, index) => index).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

/** The values of the attributes that are summed. All other values are read too: a malformed one is a fault. */
function readValues({ scale, items, ...json }: SelectionDocument, order: readonly number[]): Selection['values'] {
  const attributes = new Set<string>();
  const read = items.map(({ values }, index) => {
    return new Map(
      Object.entries(values).map(([name, text]) => {
        attributes.add(name);
        return [name, readDecimal(text, scale, `/items/${index}/values/${name}`)];
      }),
    );
  });
  const named = new Set([...(json.capacities ?? []), ...(json.objectives ?? [])].map(({ of }) => of));
  if (new Set([...attributes, ...named]).size > MAX_ATTRIBUTES) {
    throw new SelectionError('TOO_MANY_ATTRIBUTES', '/items', `have more than ${MAX_ATTRIBUTES} attributes`);
  }
  const valueIn = (index: number, name: string) => {
    const value = defined(read[index]).get(name);
    if (value !== undefined) return value;
    const message = 'is missing, and a capacity or an objective needs it';
    throw new SelectionError('MISSING_VALUE', `/items/${index}/values/${name}`, message);
  };
  return new Map([...named].map((name) => [name, order.map((index) => valueIn(index, name))]));
}

function readIds(ids: readonly string[], places: ReadonlyMap<string, number>, path: string): readonly number[] {
  const read = new Set<number>();
  for (const [index, id] of ids.entries()) {
    const place = places.get(id);
    if (place === undefined) throw new SelectionError('UNKNOWN_ITEM', `${path}/${index}`, 'is not the id of an item');
    if (read.has(place)) throw new SelectionError('DUPLICATE_ID', `${path}/${index}`, 'occurs twice');
    read.add(place);
  }
  return [...read].sort((a, b) => a - b);
}

function readDecimal(text: string, scale: number, path: string): bigint {
  try {
    const read = parseNumber(text, path);
    if (read.scale === scale) return read.numerator;
  } catch (error) {
    if (!(error instanceof DocumentError) || !isSelectionErrorCode(error.code)) throw error;
    throw new SelectionError(error.code, path, error.message);
  }
  throw new SelectionError('WRONG_SCALE', path, `does not have exactly ${scale} decimals`);
}

import { type BoundPart, type Expression, literal, type Reference } from './terms.ts';
import type { ValueType } from './types.ts';

/*
 * An argument, or a field of a response, can be an object, a list, or optional. Every part that has one value has a name of its
 * own, and what a plan is about stays values by name:
 *
 *   address: { street: string }      `address/street`
 *   to: [string, 1..3]               `to#0`, `to#1` and `to#2`, and whether there is a second and a third one: `to#1?` and `to#2?`
 *   cc?: string                      `cc`, and whether there is one: `cc?`
 *
 * Names of documents have none of `/`, `#` and `?`. An element of a list has no order of its own: nothing refers to one by its
 * index. So a rule about a list is the same rule about each element that is there, and the solver needs to know nothing of lists.
 */

/** Types by name: of arguments, or of fields of a response. */
type Types = ReadonlyMap<string, ValueType>;

/** A name that has no value of its own, with the full names of its members or elements. */
export interface Group {
  readonly kind: 'object' | 'list';
  readonly parts: readonly string[];
}

/** The full name of a member. Either may be empty. */
export const memberOf = (name: string, member: string): string =>
  name === '' || member === '' ? name + member : `${name}/${member}`;
export const elementOf = (name: string, index: number): string => `${name}#${index}`;
export const presenceOf = (name: string): string => `${name}?`;

/** Whether a name is that of a truth value: whether an optional part, or an element, is there. */
export const isPresence = (name: string): boolean => name.endsWith('?');

/** Whether it says that an element of a list is there. */
export const isElementPresence = (name: string): boolean => /#\d+\?$/.test(name);

/** The type of a part that a document names. Elements of a list, and whether a part is there, are not for it to name. */
export const writtenType = (types: Types, name: string): ValueType | undefined =>
  isWritten(name) ? types.get(name) : undefined;

export const isWritten = (name: string): boolean => !/[#?]/.test(name);

/** The name of the argument, or of the field, that a part belongs to. */
export const rootOf = (name: string): string => name.split(/[/#?]/, 1)[0] ?? name;

/** Whether a name is another one, or that of a part of it. */
export const isWithin = (name: string, whole: string): boolean =>
  name === whole || name.startsWith(`${whole}/`) || name.startsWith(`${whole}#`);

/** As authors write a part: `address.street`, `lines[].price`. */
export const spokenPart = (name: string): string =>
  name.replaceAll(/#\d+/g, '[]').replaceAll('/', '.').replace('?', '');

/** One name for each part, also for all elements of a list together. Whether a part is there is left out. */
export function onePerPart(names: readonly string[]): readonly string[] {
  const first = new Map<string, string>();
  for (const name of names) if (!isPresence(name) && !first.has(spokenPart(name))) first.set(spokenPart(name), name);
  return [...first.values()];
}

const groupsByTypes = new WeakMap<Types, ReadonlyMap<string, Group>>();

/** The objects and lists among some names. */
export function groupsOf(types: Types): ReadonlyMap<string, Group> {
  const known = groupsByTypes.get(types);
  if (known !== undefined) return known;
  const groups = new Map<string, { readonly kind: Group['kind']; readonly parts: Set<string> }>();
  for (const key of types.keys()) {
    const name = isPresence(key) ? key.slice(0, -1) : key;
    for (const [start, end] of boundaries(name)) {
      const parent = name.slice(0, start);
      const group = groups.get(parent) ?? { kind: name[start] === '#' ? 'list' : 'object', parts: new Set() };
      group.parts.add(name.slice(0, end));
      groups.set(parent, group);
    }
  }
  const found = new Map(Array.from(groups, ([name, { kind, parts }]) => [name, { kind, parts: [...parts] }]));
  groupsByTypes.set(types, found);
  return found;
}

/** The names of arguments or fields themselves. */
export const rootsOf = (types: Types): readonly string[] => [...new Set(Array.from(types.keys(), rootOf))];

/** Where each part of a name begins and ends after the name that it belongs to. */
function boundaries(name: string): readonly (readonly [start: number, end: number])[] {
  const starts = Array.from(name.matchAll(/[/#]/g), ({ index }) => index);
  return starts.map((start, index) => [start, starts[index + 1] ?? name.length]);
}

/** What must be there so that a name has a value: names of truth values. */
export function neededFor(name: string, types: Types): readonly string[] {
  const ends = [...boundaries(name).map(([start]) => start), name.length];
  return ends.map((end) => presenceOf(name.slice(0, end))).filter((presence) => types.has(presence));
}

/** A name of the action itself, of a bound action, or of an element of a list. */
export type NamedPart = Reference | BoundPart;

/** A value that may be missing has the names of what it needs. */
export function withNeeds(part: NamedPart, types: Types): NamedPart {
  const needs = isPresence(part.name) ? [] : neededFor(part.name, types);
  return needs.length === 0 ? part : { ...part, needs };
}

/** Whether a name has a value: true, or what says so. */
export function presenceIn(part: NamedPart, types: Types): Expression {
  const needs = neededFor(part.name, types).map((name): Expression => ({ ...bare(part), name }));
  const [only, ...others] = needs;
  if (only === undefined) return literal(true);
  return others.length === 0 ? only : { op: 'and', args: needs };
}

function bare({ needs, ...part }: NamedPart): NamedPart {
  return part.op === 'part' ? { ...part, type: { type: 'bool' } } : part;
}

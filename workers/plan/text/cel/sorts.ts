import { scaleOf, type ValueType } from '../../language/types.ts';
import { isSameType } from '../../read/read-state.ts';

/** The sort of an expression's value. An int is a number without decimals. */
export type Sort =
  | { readonly sort: 'number'; readonly scale: number }
  | { readonly sort: 'bool' | 'string' | 'time' | 'duration' }
  | { readonly sort: 'enum'; readonly type: ValueType & { type: 'enum' } };

export const BOOL: Sort = { sort: 'bool' };
export const INT: Sort = { sort: 'number', scale: 0 };
export const TIME: Sort = { sort: 'time' };
export const DURATION: Sort = { sort: 'duration' };

export function sortOf(type: ValueType): Sort {
  switch (type.type) {
    case 'int':
    case 'decimal':
      return { sort: 'number', scale: scaleOf(type) };
    case 'enum':
      return { sort: 'enum', type };
    default:
      return { sort: type.type };
  }
}

/** What a value of the sort is, for messages. */
export function describeSort(sort: Sort): string {
  switch (sort.sort) {
    case 'number':
      return sort.scale === 0 ? 'a whole number' : `a number with ${sort.scale} decimals`;
    case 'bool':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'enum':
      return `one of ${sort.type.values.join(', ')}`;
    default:
      return `a ${sort.sort}`;
  }
}

/** Whether values of two sorts can be compared. Numbers of different scales can. */
export function isComparable(one: Sort, other: Sort): boolean {
  if (one.sort === 'enum' && other.sort === 'enum') return isSameType(one.type, other.type);
  return one.sort === other.sort;
}

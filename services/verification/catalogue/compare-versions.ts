import { defined } from '../../../workers/exact/defined.ts';

/** Orders versions of three numbers, such as 1.10.0. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [numbersOf(one), numbersOf(other)];
  const index = numbers.findIndex((number, place) => number !== others[place]);
  return index === -1 ? 0 : defined(numbers[index]) - defined(others[index]);
}

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

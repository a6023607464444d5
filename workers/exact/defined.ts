/**
 * Asserts that a value is there, such as an item within the bounds of its array.
 * @throws {TypeError} if it is missing, which is a bug
 */
export function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('a value is missing');
  return value;
}

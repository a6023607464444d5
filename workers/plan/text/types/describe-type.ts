import type { Shape } from '../../language/shapes.ts';
import { formatBounds, type NumberType } from '../../language/types.ts';
import { formatValue } from '../../language/values.ts';
import type { MapState } from '../../plan.ts';
import { isMap, type StateType } from '../../read/read-state.ts';

/** Writes a type as authors do: `decimal(2, 0.00..25.00)`. */
export function describeType(type: StateType | MapState): string {
  if (isMap(type)) {
    const byDefault = 'byDefault' in type ? `, default ${formatValue(type.byDefault, type.value)}` : '';
    return `map(${describeType(type.key)}, ${describeType(type.value)}${byDefault})`;
  }
  switch (type.type) {
    case 'int': {
      const range = rangeOf(type);
      return range === '' ? 'int' : `int(${range})`;
    }
    case 'decimal': {
      const range = rangeOf(type);
      return `decimal(${type.scale}${range === '' ? '' : `, ${range}`})`;
    }
    case 'enum':
      return `enum(${type.values.join(', ')})`;
    case 'string':
      return `string(${type.max}${type.fold === undefined ? '' : `, ${type.fold}`})`;
    default:
      return type.type;
  }
}

/** Writes what an argument is made of as authors do: `[{ price: decimal(2) }, 1..20]`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'value':
      return describeType(shape.type);
    case 'object': {
      const members = Array.from(shape.members, ([name, member]) => {
        return `${name}${member.isOptional ? '?' : ''}: ${describeShape(member)}`;
      });
      return `{ ${members.join(', ')} }`;
    }
    case 'list':
      return `[${describeShape(shape.of)}, ${shape.min}..${shape.max}]`;
  }
}

function rangeOf(type: NumberType): string {
  const { min, max } = formatBounds(type);
  return min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`;
}

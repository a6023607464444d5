import type { ValueType } from '../../language/types.ts';
import type { FaultLog } from '../faults/text-fault.ts';
import { quote, readEntries, unknownName } from '../yaml/fields.ts';
import { asMap, asScalar, type TextNode } from '../yaml/text-node.ts';
import { readWritten } from './read-value.ts';

/** Values by name, as plans write them. Faults are logged. `what` describes the map. */
export const readMembers = (node: TextNode, types: ReadonlyMap<string, ValueType>, what: string, log: FaultLog) =>
  readEntries(
    asMap(node, `${what} by name`).entries,
    ({ key, value }) => {
      const type = types.get(key.text);
      if (type !== undefined) return readWritten(asScalar(value, 'a value'), type);
      throw unknownName(key, types.keys(), `${what} cannot have ${quote(key.text)}`);
    },
    log,
  );

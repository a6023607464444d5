import type { ToolDocument } from '../../../exact/tool-schema.ts';
import { formatState, type StateType } from '../../read/read-state.ts';
import { readCatalogueTool } from '../../read/read-tool.ts';
import { createScope, type TextScope } from '../cel/scope.ts';
import { FaultLog, TextError, type TextFault } from '../faults/text-fault.ts';
import { readStateType } from '../types/read-type.ts';
import { readEntries, readFields, readIdentifiers } from '../yaml/fields.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { placedIn } from '../yaml/reader-fault.ts';
import { asMap, type TextNode } from '../yaml/text-node.ts';
import { readAmounts } from './read-amounts.ts';
import { readLimits } from './read-limits.ts';
import { readOnce, readToolParts, readToolText } from './read-tool-parts.ts';

export type CompiledTools =
  | { readonly tools: readonly ToolDocument[]; readonly faults?: undefined }
  | { readonly tools?: undefined; readonly faults: readonly TextFault[] };

/** Compiles a catalogue of tools, `tools.yaml`, to descriptions in canonical form. */
export function compileTools(text: string): CompiledTools {
  const log = new FaultLog(text);
  const tools = log.readText(() => readTools(text, log)) ?? [];
  return log.isEmpty ? { tools } : { faults: log.faults() };
}

function readTools(text: string, log: FaultLog): readonly ToolDocument[] {
  const root = readYaml(text, log);
  const node = readFields(root, ['tools'], 'a catalogue', log).require('tools', 'tools: { order.get@1.0.0: { … } }');
  return asMap(node, 'tools by name and version').entries.flatMap(({ key, value }) => {
    const tool = log.attempt(() => {
      const read = readToolText(key, value, log);
      const state = readStates(read.fields.get('state'), log);
      const parts = readToolParts(read, scopeOf(state), log);
      const limits = readLimits(read.fields.get('limits'), read.args, log);
      const amounts = readAmounts(read, log);
      const once = readOnce(read, log);
      const described: ToolDocument = {
        tool_format: 2,
        ...parts,
        state: Object.fromEntries([...state].map(([name, type]) => [name, formatState(type)])),
        limits,
        ...(amounts.length === 0 ? {} : { amounts }),
        ...(once === undefined ? {} : { once }),
      };
      // Other faults leave parts out.
      if (log.isEmpty) placedIn(value, described, () => readCatalogueTool(described));
      return described;
    });
    return tool === undefined ? [] : [tool];
  });
}

function readStates(node: TextNode | undefined, log: FaultLog): ReadonlyMap<string, StateType> {
  return readEntries(readIdentifiers(node, 'types of states by name', log), ({ value }) => readToolState(value), log);
}

function readToolState(node: TextNode): StateType {
  const type = readStateType(node);
  if (!('byDefault' in type)) return type;
  throw new TextError('MALFORMED_TYPE', node.at, 'each plan gives the default of a map: write map(string, int) here');
}

/** A description knows the states that it lists, and nothing of a plan. */
const scopeOf = (states: ReadonlyMap<string, StateType>): TextScope =>
  createScope(
    { states, tables: new Map(), given: new Map(), factors: new Set(), faulty: new Set(), stepNames: [] },
    'state',
  );

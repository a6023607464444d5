import { didYouMean } from '../faults/suggest.ts';
import { TextError } from '../faults/text-fault.ts';
import { quote } from '../yaml/fields.ts';
import type { ScalarNode } from '../yaml/text-node.ts';
import type { KnownTool } from './known-tool.ts';

const REF = /^([A-Za-z0-9_.:-]{1,64})@([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?$/;

/**
 * The tool that a step names: `name@2` is the highest version 2.x.y, `name@2.1` the highest 2.1.x.
 * @throws {TextError} UNKNOWN_TOOL
 */
export function findTool({ text, at }: ScalarNode, tools: readonly KnownTool[]): KnownTool {
  const match = REF.exec(text);
  if (match === null) {
    const known = tools.find(({ name }) => name === text);
    const example = known === undefined ? 'bank.transfer@2' : `${text}@${known.version.split('.')[0]}`;
    throw new TextError(
      'UNKNOWN_TOOL',
      at,
      `${quote(text)} does not name a tool with its version: write, for example, ${example}`,
    );
  }
  const [, name = '', ...parts] = match;
  const wanted = parts.filter((part) => part !== undefined).join('.');
  const named = tools.filter((tool) => tool.name === name);
  if (named.length === 0) {
    const hint = didYouMean(
      name,
      tools.map((tool) => tool.name),
    );
    throw new TextError('UNKNOWN_TOOL', at, `neither the catalogue nor this plan has a tool ${quote(name)}.${hint}`);
  }
  const found = named
    .filter(({ version }) => version === wanted || version.startsWith(`${wanted}.`))
    .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }))
    .at(-1);
  if (found !== undefined) return found;
  const versions = named.map(({ version }) => version).join(', ');
  throw new TextError('UNKNOWN_TOOL', at, `${name} has no version ${wanted}. Known: ${versions}.`);
}

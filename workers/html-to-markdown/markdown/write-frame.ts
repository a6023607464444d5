import { defined } from '../../exact/defined.ts';
import { ELEMENT, TreeNode } from '../parse/tree.ts';
import { type Block, type Frame, isList, isTight, joinBlocks, labelItems, numberItems } from './frames.ts';
import { findRule } from './rules/registry.ts';
import type { RuleOptions } from './rules/rule.ts';
import { writeTable } from './rules/tables.ts';

const ITEM = defined(findRule(new TreeNode(ELEMENT, 'li')) ?? undefined);

/** The blocks of a frame. The items of a list, and the rows of a table, are one, after others in it. */
export function blocksOf(frame: Frame, options: RuleOptions): readonly Block[] {
  const { node, blocks, rows, cells } = frame;
  const name = node.nodeName;
  const text =
    name === 'TABLE'
      ? writeTable(rows)
      : isList(name)
        ? writeList(frame, options)
        : cells.map((cell) => cell.text).join(' ');
  return text === '' ? blocks : [...blocks, { text, name }];
}

function writeList(frame: Frame, options: RuleOptions): string {
  const separator = isTight(frame) ? '\n' : '\n\n';
  const markers = numberItems(frame);
  const labels = labelItems(frame);
  const written = frame.items.map(({ blocks }, index) => {
    options.marker = defined(markers[index]);
    const content = joinBlocks(blocks, separator);
    const label = labels?.[index];
    const parting = blocks[0]?.name === 'P' ? ' ' : '\n\n';
    const text = label === undefined ? content : `${label}${parting}${content}`;
    return ITEM.replacement(text, frame.node, options).trimEnd();
  });
  return written.join(separator);
}

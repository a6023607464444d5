import { ConversionError } from '../conversion-error.ts';
import type { TreeNode } from '../parse/tree.ts';
import { InlineWriter } from './inline.ts';
import { MARK } from './marks.ts';
import { findRule } from './rules/registry.ts';
import type { MarkdownRule, RuleOptions } from './rules/rule.ts';
import { isLayout, writeTable } from './rules/tables.ts';

export interface MarkdownOptions {
  /** The address to write for the one in the source; null: it is not to be followed, and only its text is written. */
  readonly resolve: (address: string) => string | null;
  /** More than this is refused while it is written. */
  readonly maxCharacters?: number;
}

/** Deeper quotes and lists are written at this depth, so that indentation does not multiply the output. */
const MAX_NESTING = 32;
const MAX_OPEN_INLINES = 16;

interface Block {
  readonly text: string;
  readonly name: string;
}

interface Frame {
  readonly node: TreeNode;
  readonly rule: MarkdownRule | null;
  readonly blocks: Block[];
  /** Of a list its items, of a table its rows. */
  readonly items: Block[][];
  readonly marker: string;
  isLoose: boolean;
}

interface OpenInline {
  readonly node: TreeNode;
  readonly rule: MarkdownRule;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes what is below a node as GitHub Flavored Markdown: LF only, one final newline, or nothing at all.
 * @throws {ConversionError} DOCUMENT_TOO_LARGE
 */
export function renderMarkdown(root: TreeNode, options: MarkdownOptions): string {
  const renderer = new Renderer(root, options);
  let node = root.firstChild;
  while (node !== null) {
    if (renderer.enter(node) && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    renderer.leave(node);
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode === root ? null : node.parentNode;
      if (node !== null) renderer.leave(node);
    }
    node = node?.nextSibling ?? null;
  }
  return renderer.finish();
}

class Renderer {
  private readonly options: RuleOptions;
  private readonly maxCharacters: number;
  private readonly frames: Frame[];
  private readonly inlines: OpenInline[] = [];
  private readonly writer = new InlineWriter();
  /** Whether the paragraph has had anything but what opens and closes in it. */
  private hasContent = false;
  private nesting = 0;

  constructor(root: TreeNode, { resolve, maxCharacters = Number.POSITIVE_INFINITY }: MarkdownOptions) {
    this.options = { resolve, marker: '' };
    this.maxCharacters = maxCharacters;
    this.frames = [createFrame(root, null, '')];
  }

  /** Whether the node's children are to be walked. */
  enter(node: TreeNode): boolean {
    if (node.nodeType === 3) {
      this.writer.text(node.data);
      this.hasContent = true;
      return false;
    }
    if (node.nodeType !== 1) return false;
    const rule = findRule(node);
    if (rule === null) return true;
    switch (rule.kind) {
      case 'skip':
        return false;
      case 'leaf':
        this.writer.marked(rule.replacement('', node, this.options));
        this.hasContent = true;
        return false;
      case 'inline':
        this.openInline(node, rule);
        return true;
      case 'leafBlock':
        this.flush();
        this.push({ text: rule.replacement('', node, this.options), name: node.nodeName });
        return false;
      default:
        this.flush();
        if (node.nodeName === 'P' && node.parentNode?.nodeName === 'LI') this.loosen();
        if (rule.kind === 'frame' && this.takesFrame(node)) this.openFrame(node, rule);
        return true;
    }
  }

  leave(node: TreeNode): void {
    const open = this.inlines.at(-1);
    if (open?.node === node) {
      this.writer.marked(open.after);
      this.inlines.pop();
      return;
    }
    if (node.nodeType !== 1) return;
    const rule = findRule(node);
    if (rule?.kind !== 'block' && rule?.kind !== 'frame') return;
    this.flush();
    const frame = this.top();
    if (frame.node === node) this.closeFrame(frame);
  }

  finish(): string {
    this.flush();
    const text = join(this.top().blocks, '\n\n').toWellFormed();
    this.checkLength(text);
    return text === '' ? '' : `${text}\n`;
  }

  private top(): Frame {
    return this.frames.at(-1) as Frame;
  }

  private takesFrame({ nodeName, parentNode }: TreeNode): boolean {
    const top = this.top().node.nodeName;
    if (nodeName === 'LI') return isList(top);
    if (nodeName === 'TR') return top === 'TABLE';
    if (nodeName === 'TD' || nodeName === 'TH') return top === 'TR' && parentNode !== null;
    if (isList(nodeName) || nodeName === 'BLOCKQUOTE') return this.nesting < MAX_NESTING;
    return true;
  }

  private openFrame(node: TreeNode, rule: MarkdownRule): void {
    if (node.nodeName === 'TABLE' && isLayout(node)) return;
    if (isList(node.nodeName) || node.nodeName === 'BLOCKQUOTE') this.nesting += 1;
    this.frames.push(createFrame(node, rule, isList(node.nodeName) ? this.listMarker(node) : ''));
  }

  /** A list right after one of its kind would join it, so it gets the other marker. */
  private listMarker(node: TreeNode): string {
    const { blocks, items } = this.top();
    const last = (items.at(-1) ?? blocks).at(-1);
    const isOrdered = node.nodeName === 'OL';
    if (isOrdered) return last?.name === 'OL' && /^\d+\./.test(last.text) ? ')' : '.';
    return last !== undefined && isList(last.name) && last.text.startsWith('-') ? '*' : '-';
  }

  private closeFrame(frame: Frame): void {
    this.frames.pop();
    const { node, rule, blocks } = frame;
    const name = node.nodeName;
    if (isList(name) || name === 'BLOCKQUOTE') this.nesting -= 1;
    if (name === 'LI' || name === 'TR') {
      this.top().items.push(blocks);
      return;
    }
    if (rule === null) return;
    if (name === 'TABLE') {
      for (const block of blocks) this.push(block);
      const rows = frame.items.map((row) => row.map(({ text }) => text));
      if (rows.length > 0) this.push({ text: writeTable(rows), name });
      return;
    }
    const content = isList(name) ? this.writeList(frame) : join(blocks, '\n\n');
    if (content === '' && name !== 'TD' && name !== 'TH') return;
    this.push({ text: rule.replacement(content, node, this.options), name });
  }

  private writeList({ node, items, marker, isLoose }: Frame): string {
    const start = Number.parseInt(node.getAttribute('start') ?? '1', 10);
    const first = start >= 0 && start < 1e9 ? start : 1;
    const separator = isLoose || !items.every(isTight) ? '\n\n' : '\n';
    const rule = findRule({ nodeName: 'LI' } as TreeNode);
    const written = items.map((blocks, index) => {
      this.options.marker = node.nodeName === 'OL' ? `${first + index}${marker} ` : `${marker} `;
      return rule?.replacement(join(blocks, separator), node, this.options).trimEnd() ?? '';
    });
    return written.join(separator);
  }

  private openInline(node: TreeNode, rule: MarkdownRule): void {
    if (this.inlines.length >= MAX_OPEN_INLINES) return;
    // Emphasis within emphasis is no stronger, and Markdown cannot write it everywhere.
    for (const open of this.inlines) if (open.rule === rule) return;
    const written = rule.replacement(MARK.content, node, this.options);
    if (written === MARK.content) return;
    const at = written.indexOf(MARK.content);
    const before = written.slice(0, at);
    this.writer.marked(before);
    this.inlines.push({ node, rule, before, after: written.slice(at + 1) });
  }

  private loosen(): void {
    const list = this.frames.at(-2);
    if (list !== undefined && this.top().node.nodeName === 'LI') list.isLoose = true;
  }

  /** Ends the paragraph. What is open in it is closed, and opened again in the next. */
  private flush(): void {
    if (!this.hasContent) return;
    this.hasContent = false;
    for (let index = this.inlines.length - 1; index >= 0; index -= 1)
      this.writer.marked(this.inlines[index]?.after ?? '');
    const text = this.writer.finish();
    for (const open of this.inlines) this.writer.marked(open.before);
    if (text !== '') this.push({ text, name: 'P' });
  }

  private checkLength(text: string): void {
    if (text.length <= this.maxCharacters) return;
    throw new ConversionError('DOCUMENT_TOO_LARGE', 'the Markdown is too long for its document');
  }

  private push(block: Block): void {
    this.checkLength(block.text);
    const frame = this.top();
    if (!isList(frame.node.nodeName)) frame.blocks.push(block);
    else if (frame.items.length === 0) frame.items.push([block]);
    else frame.items.at(-1)?.push(block);
  }
}

function createFrame(node: TreeNode, rule: MarkdownRule | null, marker: string): Frame {
  return { node, rule, blocks: [], items: [], marker, isLoose: false };
}

function isList(name: string): boolean {
  return name === 'UL' || name === 'OL' || name === 'MENU' || name === 'DIR';
}

function join(blocks: readonly Block[], separator: string): string {
  return blocks.length === 1 ? (blocks[0]?.text ?? '') : blocks.map(({ text }) => text).join(separator);
}

/** Whether no block of an item needs an empty line before it. */
function isTight(blocks: readonly Block[]): boolean {
  return blocks.every((block, index) => {
    const before = blocks[index - 1];
    if (before === undefined) return true;
    if (before.name !== 'P' && before.name !== 'PRE') return false;
    if (block.name === 'OL') return block.text.startsWith('1');
    return block.name === 'PRE' || block.name === 'BLOCKQUOTE' || isList(block.name);
  });
}

import { defined } from '../../exact/defined.ts';
import { ELEMENT, TEXT, TreeNode } from '../parse/tree.ts';
import {
  type Block,
  chooseMarker,
  createFrame,
  type Frame,
  isList,
  isTight,
  joinBlocks,
  joinCell,
  labelItems,
  nests,
  numberItems,
  trimLines,
} from './frames.ts';
import { InlineWriter } from './inline.ts';
import { addedMarks, CLOSING, endedMarks, hasShape, isUndone, type Look, readLook } from './looks.ts';
import { OpenInlines } from './open-inlines.ts';
import { OutputBudget, type OutputLimits } from './output-budget.ts';
import { writeCodeSpan } from './rules/code.ts';
import { findRule, holdsBlock } from './rules/registry.ts';
import type { MarkdownRule, RuleOptions } from './rules/rule.ts';
import { scriptRuleOf } from './rules/scripts.ts';
import { writeTable } from './rules/tables.ts';
import { readCheckbox, readItemState, writeBox } from './rules/tasks.ts';
import { takeWritten } from './take-written.ts';
import { Footnotes } from './text/footnotes.ts';
import { MARK } from './text/marks.ts';

export interface MarkdownOptions extends Partial<OutputLimits> {
  /** The address to write for an address of the source. Null: the link is dropped and only its text is written. */
  readonly resolve: (address: string) => string | null;
}

/** Deeper quotes and lists are written at this depth. Otherwise indentation would multiply the output. */
const MAX_NESTING = 32;
/** Blocks whose style makes all of their text bold or italic, if they hold no other blocks. */
const STYLED_BLOCKS = new Set('P DIV LI DD CENTER FIGCAPTION'.split(' '));
const UNLIMITED = Number.POSITIVE_INFINITY;
const LIST_ITEM = ruleOfItems();

function ruleOfItems(): MarkdownRule {
  const rule = findRule(new TreeNode(ELEMENT, 'li'));
  if (rule === null) throw new TypeError('there is no rule for list items');
  return rule;
}

/** An element whose style shows, in the lines that are open. */
interface OpenLook {
  readonly node: TreeNode;
  readonly keepsLines: boolean;
  readonly isBlock: boolean;
}

/**
 * Writes the nodes below a root as GitHub Flavored Markdown, with LF line ends and one final newline. Empty if there is
 * nothing to write.
 * @throws {ConversionError} DOCUMENT_TOO_LARGE
 */
export function renderMarkdown(root: TreeNode, options: MarkdownOptions): string {
  const renderer = new Renderer(root, options);
  let node: TreeNode | null = root.firstChild;
  while (node !== null) {
    node = takeWritten(node);
    const isEntered = renderer.enter(node) && node.firstChild !== null;
    node = isEntered ? node.firstChild : leaveAll(node, root, renderer);
  }
  return renderer.finish();
}

/** Leaves a node and those around it that end with it. @returns the next node to enter */
function leaveAll(last: TreeNode, root: TreeNode, renderer: Renderer): TreeNode | null {
  let node: TreeNode | null = last;
  while (node !== null && node !== root) {
    renderer.leave(node);
    if (node.nextSibling !== null) return node.nextSibling;
    node = node.parentNode;
  }
  return null;
}

class Renderer {
  private readonly options: RuleOptions;
  private readonly budget: OutputBudget;
  private readonly frames: Frame[];
  private readonly writer: InlineWriter;
  private readonly inlines: OpenInlines;
  private readonly looks: OpenLook[] = [];
  private keepsLines: boolean;
  /** Whether the paragraph has content besides opening and closing delimiters. */
  private hasContent = false;
  private nesting = 0;
  /** Whether a table cell is being written. Its content is on one line. */
  private isInCell = false;
  private startsItem = false;
  /** Whether the box of a task is written, and its text is not. */
  private followsBox = false;

  constructor(root: TreeNode, { resolve, maxCharacters = UNLIMITED, maxJsonBytes = UNLIMITED }: MarkdownOptions) {
    this.options = { resolve, footnotes: new Footnotes(root), marker: '' };
    this.budget = new OutputBudget({ maxCharacters, maxJsonBytes });
    this.writer = new InlineWriter((piece) => this.budget.spend(piece));
    this.inlines = new OpenInlines(this.writer);
    this.frames = [createFrame(root, null, '')];
    this.keepsLines = readLook(root)?.keepsLines ?? false;
  }

  /** @returns whether the node's children must be visited */
  enter(node: TreeNode): boolean {
    if (node.nodeType === TEXT) {
      this.writeText(node.data);
      return false;
    }
    if (node.nodeType !== ELEMENT) return false;
    const rule = findRule(node);
    if (node.attributes.length === 0 || node.nodeName === 'IMG') return this.enterElement(node, rule, null);
    const isInput = node.nodeName === 'INPUT';
    if (!isInput && !hasShape(node)) return this.enterElement(node, rule, null);
    if (isInput || node.getAttribute('role') === 'checkbox') this.writeTask(node);
    const look = readLook(node);
    if (look === null) return this.enterElement(node, rule, null);
    const script = look.script === null || STYLED_BLOCKS.has(node.nodeName) ? undefined : scriptRuleOf(look.script);
    if (script?.kindOf?.(node, this.options) === 'leaf') return this.enterElement(node, script, null);
    return this.enterElement(node, isUndone(node, look) ? null : rule, look);
  }

  private enterElement(node: TreeNode, rule: MarkdownRule | null, look: Look | null): boolean {
    const kind = rule?.kindOf === undefined ? (rule?.kind ?? null) : rule.kindOf(node, this.options);
    if (rule === null || kind === null) {
      if (look !== null) this.openInlineLook(node, look);
      return true;
    }
    switch (kind) {
      case 'skip':
        return false;
      case 'leaf':
        // Two line breaks begin a paragraph.
        if (node.nodeName === 'BR' && this.writer.endsLine()) {
          this.part();
          return false;
        }
        this.writer.marked(rule.replacement('', node, this.options));
        this.hasContent = true;
        this.followsBox = false;
        return false;
      case 'inline':
        if (look !== null) this.openInlineLook(node, look);
        this.openInline(node, rule);
        return true;
      case 'line':
        this.flush();
        this.openInline(node, rule);
        return true;
      case 'leafBlock':
        this.writeLeafBlock(node, rule);
        return false;
      default:
        this.flush();
        this.enterBlock(node, kind === 'frame' ? rule : null);
        if (look !== null) this.openBlockLook(node, look);
        return true;
    }
  }

  leave(node: TreeNode): void {
    if (node.nodeType !== ELEMENT) return;
    const kind = findRule(node)?.kind;
    if (kind === 'line') this.flush();
    this.inlines.leave(node);
    if (this.looks.at(-1)?.node === node) this.closeLook();
    if (kind !== 'block' && kind !== 'frame') return;
    if (this.followsBox && (node.nodeName === 'LI' || node.nodeName === 'TD')) this.hasContent = true;
    this.flush();
    const frame = this.top();
    if (frame.node === node && frame !== this.frames[0]) this.closeFrame(frame);
  }

  private openInlineLook(node: TreeNode, look: Look): void {
    if (look.isBlock) this.part();
    this.openLook(node, look, look.isBlock);
    this.openMarks(node, look);
  }

  private openBlockLook(node: TreeNode, look: Look): void {
    this.openLook(node, look, false);
    if (STYLED_BLOCKS.has(node.nodeName) && !holdsBlock(node)) this.openMarks(node, look);
  }

  private openMarks(node: TreeNode, look: Look): void {
    for (const before of endedMarks(look)) this.inlines.pause(node, before);
    for (const before of addedMarks(look, this.top().node.nodeName)) {
      this.inlines.open(node, before, defined(CLOSING.get(before)));
    }
  }

  private openLook(node: TreeNode, look: Look, isBlock: boolean): void {
    if (look.keepsLines === null && !isBlock) return;
    this.looks.push({ node, keepsLines: this.keepsLines, isBlock });
    this.keepsLines = look.keepsLines ?? this.keepsLines;
  }

  private closeLook(): void {
    const look = this.looks.pop();
    if (look === undefined) return;
    this.keepsLines = look.keepsLines;
    if (look.isBlock) this.part();
  }

  /** Parts what is shown on lines of their own. A link is not parted. */
  private part(): void {
    if (this.inlines.isInLink()) this.writer.text(' ');
    else this.flush();
  }

  /** Text whose line breaks are shown. An empty line ends the paragraph. */
  private writeLines(text: string): void {
    for (const [at, paragraph] of text.split(/\n[ \t]*\n\s*/).entries()) {
      if (at > 0) this.part();
      for (const [index, line] of paragraph.split('\n').entries()) {
        if (index > 0) this.writer.marked(MARK.lineBreak);
        this.writer.text(line);
        this.hasContent = true;
      }
    }
  }

  private writeText(text: string): void {
    if (this.keepsLines && text.includes('\n') && !this.followsBox) {
      this.writeLines(text);
      return;
    }
    this.writer.text(text);
    if (this.followsBox && text.trim() === '') return;
    this.followsBox = false;
    this.hasContent = true;
  }

  /** Writes the box of a task. It goes with the text after it, which may be in a paragraph of its own. */
  private writeTask(node: TreeNode): void {
    const isChecked = node.nodeName === 'LI' ? null : readCheckbox(node);
    if (isChecked !== null) this.writeTaskBox(isChecked);
  }

  private writeTaskBox(isChecked: boolean): void {
    if (this.followsBox) return;
    this.writer.marked(writeBox(isChecked));
    this.followsBox = true;
  }

  finish(): string {
    this.flush();
    const text = joinBlocks(this.top().blocks, '\n\n').toWellFormed();
    this.budget.check(text);
    return text === '' ? '' : `${text}\n`;
  }

  private top(): Frame {
    return defined(this.frames[this.frames.length - 1]);
  }

  private enterBlock(node: TreeNode, rule: MarkdownRule | null): void {
    if (node.nodeName === 'P' && node.parentNode?.nodeName === 'LI') this.loosen();
    if (this.isInCell) this.startsItem ||= node.nodeName === 'LI' || node.nodeName === 'TR';
    else if (rule === null ? this.options.footnotes.isNote(node) : this.takesFrame(node)) this.openFrame(node, rule);
  }

  private takesFrame(node: TreeNode): boolean {
    const { nodeName, parentNode } = node;
    const top = this.top().node.nodeName;
    if (nodeName === 'LI') return isList(top) || (!isInList(parentNode) && this.nesting < MAX_NESTING);
    if (nodeName === 'TR') return top === 'TABLE';
    if (nodeName === 'TD' || nodeName === 'TH') return top === 'TR';
    return !nests(nodeName) || this.nesting < MAX_NESTING;
  }

  private openFrame(node: TreeNode, rule: MarkdownRule | null): void {
    const name = node.nodeName;
    const top = this.top();
    if (nests(name) || (name === 'LI' && !isList(top.node.nodeName))) this.nesting += 1;
    if (name === 'TD' || name === 'TH') this.isInCell = true;
    const last = (top.items.at(-1)?.blocks ?? top.blocks).at(-1);
    this.frames.push(createFrame(node, rule, isList(name) ? chooseMarker(node, last) : ''));
    const isDone = name === 'LI' ? readItemState(node) : null;
    if (isDone !== null) this.writeTaskBox(isDone);
  }

  private closeFrame(frame: Frame): void {
    this.frames.pop();
    const { node, rule, blocks } = frame;
    const name = node.nodeName;
    const top = this.top();
    if (nests(name) || (name === 'LI' && !isList(top.node.nodeName))) this.nesting -= 1;
    if (this.options.footnotes.isNote(node)) {
      const content = joinBlocks(blocks, '\n\n');
      // Footnotes are written one after another, not as a list.
      if (content !== '') top.blocks.push({ text: this.options.footnotes.writeNote(node, content), name: 'FOOTNOTE' });
    } else if (name === 'LI' && isList(top.node.nodeName)) top.items.push({ node, blocks });
    else if (name === 'TR') top.rows.push(frame.cells);
    else if (name === 'TD' || name === 'TH') {
      this.isInCell = false;
      this.startsItem = false;
      const content = joinCell(blocks);
      top.cells.push({ text: rule === null ? content : rule.replacement(content, node, this.options), node });
    } else this.pushContent(frame);
  }

  private pushContent(frame: Frame): void {
    const { node, rule, blocks, rows, items } = frame;
    const name = node.nodeName;
    if (name === 'TABLE' || isList(name)) {
      for (const block of blocks) this.push(block);
      const text = name === 'TABLE' ? writeTable(rows) : items.length > 0 ? this.writeList(frame) : '';
      if (text !== '') this.push({ text, name });
      return;
    }
    const content = joinBlocks(blocks, '\n\n');
    if (content === '' || rule === null) return;
    this.options.marker = '- ';
    this.push({ text: rule.replacement(content, node, this.options), name });
  }

  private writeList(frame: Frame): string {
    const separator = isTight(frame) ? '\n' : '\n\n';
    const markers = numberItems(frame);
    const labels = labelItems(frame);
    const written = frame.items.map(({ blocks }, index) => {
      this.options.marker = defined(markers[index]);
      const content = joinBlocks(blocks, separator);
      const label = labels?.[index];
      const parting = blocks[0]?.name === 'P' ? ' ' : '\n\n';
      const text = label === undefined ? content : `${label}${parting}${content}`;
      return LIST_ITEM.replacement(text, frame.node, this.options).trimEnd();
    });
    return written.join(separator);
  }

  private writeLeafBlock(node: TreeNode, rule: MarkdownRule): void {
    if (this.isInCell) {
      if (node.nodeName !== 'HR') this.writer.marked(writeCodeSpan(node));
      this.hasContent = true;
      return;
    }
    this.flush();
    const text = rule.replacement('', node, this.options);
    this.budget.spend(text);
    if (text !== '') this.push({ text, name: node.nodeName });
  }

  private openInline(node: TreeNode, rule: MarkdownRule): void {
    const written = rule.replacement(MARK.content, node, this.options);
    if (written === MARK.content) return;
    const at = written.indexOf(MARK.content);
    this.inlines.open(node, written.slice(0, at), written.slice(at + 1));
  }

  private loosen(): void {
    const list = this.frames.at(-2);
    if (list !== undefined && this.top().node.nodeName === 'LI') list.isLoose = true;
  }

  /** Ends the paragraph. Open inline elements are closed, and opened again in the next paragraph. */
  private flush(): void {
    if (!this.hasContent) return;
    this.hasContent = false;
    this.followsBox = false;
    this.inlines.closeFrom(0);
    const text = trimLines(this.writer.finish());
    this.inlines.openFrom(0);
    if (text === '') return;
    this.push({ text, name: this.startsItem ? 'LI' : 'P' });
    this.startsItem = false;
  }

  private push(block: Block): void {
    this.budget.checkLength(block.text);
    const { node, items, blocks } = this.top();
    if (isList(node.nodeName)) {
      if (items.length === 0) items.push({ node: null, blocks: [block] });
      else defined(items.at(-1)).blocks.push(block);
      return;
    }
    const last = blocks.at(-1);
    // Consecutive items outside a list are written as one list.
    if (block.name === 'LI' && last?.name === 'LI' && !this.isInCell) {
      blocks[blocks.length - 1] = { name: 'LI', text: `${last.text}\n${block.text}` };
    } else blocks.push(block);
  }
}

function isInList(parent: TreeNode | null): boolean {
  return parent !== null && isList(parent.nodeName);
}

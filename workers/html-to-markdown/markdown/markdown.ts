import { defined } from '../../exact/defined.ts';
import { ELEMENT, TEXT, TreeNode } from '../parse/tree.ts';
import { isBadgeOfName } from '../style/badges.ts';
import {
  type Block,
  chooseMarker,
  createFrame,
  type Frame,
  isList,
  joinBlocks,
  joinCell,
  joinPieces,
  nests,
  partEdges,
  takesFrame,
  trimLines,
} from './frames.ts';
import { InlineWriter } from './inline.ts';
import { addedMarks, CLOSING, endedMarks, hasShape, isUndone, type Look, readLook } from './looks.ts';
import { OpenInlines } from './open-inlines.ts';
import { OutputBudget, type OutputLimits } from './output-budget.ts';
import { domNodeOf } from './plugins/dom-node.ts';
import type { PluginRules } from './plugins/plugin-rules.ts';
import { writeCodeSpan } from './rules/code.ts';
import { findRule, holdsBlock } from './rules/registry.ts';
import type { MarkdownRule, RuleOptions } from './rules/rule.ts';
import { scriptRuleOf } from './rules/scripts.ts';
import { readCheckbox, readItemState, writeBox } from './rules/tasks.ts';
import { Footnotes } from './text/footnotes.ts';
import { MARK, verbatim, withoutMarks } from './text/marks.ts';
import { visit } from './visit.ts';
import { blocksOf } from './write-frame.ts';

export interface MarkdownOptions extends Partial<OutputLimits> {
  /** The address to write for an address of the source. Null: the link is dropped and only its text is written. */
  readonly resolve: (address: string) => string | null;
  readonly plugins?: PluginRules | undefined;
}

/** Deeper quotes and lists are written at this depth. Otherwise indentation would multiply the output. */
const MAX_NESTING = 32;
/** Blocks whose style makes all of their text bold or italic, if they hold no other blocks. */
const STYLED_BLOCKS = new Set('P DIV LI DD CENTER FIGCAPTION'.split(' '));
const CELL = defined(findRule(new TreeNode(ELEMENT, 'td')) ?? undefined);

/** An element whose style shows, in the lines that are open. */
interface OpenLook {
  readonly node: TreeNode;
  readonly keepsLines: boolean;
  readonly isBlock: boolean;
}

/**
 * Writes the nodes below a root as GitHub Flavored Markdown, with LF line ends and one final newline, or nothing.
 * @throws {ConversionError} DOCUMENT_TOO_LARGE
 */
export function renderMarkdown(root: TreeNode, options: MarkdownOptions): string {
  const renderer = new Renderer(root, options);
  visit(root, renderer);
  return renderer.finish();
}

class Renderer {
  private readonly given: MarkdownOptions;
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
  /** The element that a plugin wrote, until it is left. */
  private replaced: TreeNode | null = null;
  /** Elements that plugins wrote without line breaks around them. */
  private readonly glued = new Set<object>();

  /** @param around the renderer of what is around the root, if a plugin writes the root */
  constructor(root: TreeNode, given: MarkdownOptions, around?: Renderer) {
    const { resolve, maxCharacters = Infinity, maxJsonBytes = Infinity } = given;
    this.given = given;
    this.options = { resolve, footnotes: around?.options.footnotes ?? new Footnotes(root), marker: '' };
    this.nesting = around?.nesting ?? 0;
    this.isInCell = around?.isInCell ?? false;
    this.budget = new OutputBudget({ maxCharacters, maxJsonBytes });
    this.writer = new InlineWriter((piece) => this.budget.spend(piece));
    this.inlines = new OpenInlines(this.writer);
    this.frames = [createFrame(root, null, isList(root.nodeName) ? chooseMarker(root, undefined) : '')];
    this.keepsLines = readLook(root)?.keepsLines ?? false;
  }

  /** @returns whether the node's children must be visited */
  enter(node: TreeNode): boolean {
    if (node.nodeType === TEXT) {
      this.writeText(node.data);
      return false;
    }
    if (node.nodeType !== ELEMENT) return false;
    if (this.given.plugins !== undefined && this.writeByPlugin(node, this.given.plugins)) return false;
    const rule = findRule(node);
    if (node.attributes.length === 0 || node.nodeName === 'IMG') return this.enterElement(node, rule, null);
    if (isBadgeOfName(node)) this.writer.text(' ');
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
    if (node.nodeType !== ELEMENT || node === this.replaced) return;
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

  /** Writes an element that is for plugins. Text with line breaks around it is a block, as in Turndown. */
  private writeByPlugin(node: TreeNode, plugins: PluginRules): boolean {
    const rule = plugins.find(node);
    if (rule === null) return false;
    this.replaced = node;
    const inner = new Renderer(node, this.given, this);
    visit(node, inner);
    const { text, edges } = partEdges(withoutMarks(plugins.write(rule, inner.content(), node)));
    const frame = this.top();
    if (frame !== this.frames[0] && frame.node.nodeName === 'TR') {
      this.budget.spend(text);
      frame.cells.push({ text: CELL.replacement(text, node, this.options), node });
    } else if (edges.before + edges.after > 0 || isList(frame.node.nodeName)) {
      this.flush();
      this.budget.spend(text);
      if (text !== '') this.push({ text, name: 'P', edges });
    } else {
      const { leading, trailing } = domNodeOf(node).flankingWhitespace;
      this.writer.text(leading);
      this.writer.marked(verbatim(text));
      this.writer.text(trailing);
      this.hasContent ||= text !== '';
      this.glued.add(domNodeOf(node));
    }
    return true;
  }

  /** What is written of the root of this renderer, with line breaks around blocks. */
  content(): string {
    this.flush();
    const blocks = blocksOf(this.top(), this.options);
    const { firstChild, lastChild } = domNodeOf(this.top().node);
    const edgeOf = (child: typeof firstChild) => (child?.isBlock && !this.glued.has(child) ? 2 : 0);
    const before = blocks[0]?.edges?.before ?? edgeOf(firstChild);
    const after = blocks.at(-1)?.edges?.after ?? edgeOf(lastChild);
    const text = joinBlocks(blocks, '\n\n');
    return text === '' ? '' : `${'\n'.repeat(before)}${text}${'\n'.repeat(after)}`;
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
    else if (
      rule === null
        ? this.options.footnotes.isNote(node)
        : takesFrame(node, this.top().node.nodeName, this.nesting < MAX_NESTING)
    )
      this.openFrame(node, rule);
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
    const { node, rule } = frame;
    const name = node.nodeName;
    const blocks = blocksOf(frame, this.options);
    const isWritten = name === 'TABLE' || isList(name);
    if (isWritten) for (const block of blocks) this.push(block);
    const content = isWritten ? '' : joinBlocks(blocks, '\n\n');
    if (content === '' || rule === null) return;
    this.options.marker = '- ';
    this.push({ text: rule.replacement(content, node, this.options), name });
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
    if (isList(node.nodeName) && block.edges === undefined) {
      if (items.length === 0) items.push({ node: null, blocks: [block] });
      else defined(items.at(-1)).blocks.push(block);
      return;
    }
    const last = blocks.at(-1);
    // Consecutive items outside a list are written as one list.
    if (block.name === 'LI' && last?.name === 'LI' && !this.isInCell) {
      blocks[blocks.length - 1] = { name: 'LI', text: `${last.text}\n${block.text}` };
    } else if (block.edges !== undefined && last?.edges !== undefined) {
      blocks[blocks.length - 1] = joinPieces({ ...last, edges: last.edges }, { ...block, edges: block.edges });
    } else blocks.push(block);
  }
}

import type { TreeNode } from '../parse/tree.ts';
import type { InlineWriter } from './inline.ts';
import { isMarkCode, MARK } from './text/marks.ts';

const MAX_OPEN = 16;

interface OpenInline {
  readonly node: TreeNode;
  readonly before: string;
  readonly after: string;
  /** The element that ends this markup until its own end, such as a span of normal weight within bold text. */
  paused: TreeNode | null;
}

/** The inline markup that is open, outermost first. */
export class OpenInlines {
  private readonly writer: InlineWriter;
  private readonly all: OpenInline[] = [];
  private pauses = 0;

  constructor(writer: InlineWriter) {
    this.writer = writer;
  }

  /** Opens markup until its node is left. Emphasis in emphasis is left out: Markdown cannot always write it. */
  open(node: TreeNode, before: string, after: string): void {
    if (this.all.length >= MAX_OPEN) return;
    if (isMarkCode(before.charCodeAt(0)) && this.find(before) >= 0) return;
    this.writer.marked(before);
    this.all.push({ node, before, after, paused: null });
  }

  /** Closes what a node opened, and opens again what it paused. */
  leave(node: TreeNode): void {
    if (this.all.length === 0) return;
    for (let last = this.all.at(-1); last?.node === node; last = this.all.at(-1)) {
      if (last.paused === null) this.writer.marked(last.after);
      this.all.pop();
    }
    if (this.pauses > 0) this.resume(node);
  }

  private resume(node: TreeNode): void {
    for (const [at, open] of this.all.entries()) {
      if (open.paused !== node) continue;
      this.closeFrom(at);
      open.paused = null;
      this.pauses -= 1;
      this.openFrom(at);
    }
  }

  /** Closes markup that begins with a mark, if there is some, until a node is left. */
  pause(node: TreeNode, before: string): void {
    const at = this.find(before);
    const open = this.all[at];
    if (open === undefined) return;
    this.closeFrom(at);
    open.paused = node;
    this.pauses += 1;
    this.openFrom(at);
  }

  closeFrom(start: number): void {
    for (let at = this.all.length - 1; at >= start; at -= 1) {
      const open = this.all[at];
      if (open?.paused === null) this.writer.marked(open.after);
    }
  }

  openFrom(start: number): void {
    for (let at = start; at < this.all.length; at += 1) {
      const open = this.all[at];
      if (open?.paused === null) this.writer.marked(open.before);
    }
  }

  isInLink(): boolean {
    return this.find(MARK.linkOpen) >= 0;
  }

  private find(before: string): number {
    return this.all.findIndex((open) => open.before === before && open.paused === null);
  }
}

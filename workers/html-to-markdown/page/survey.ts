import { ELEMENT, TEXT, type TreeNode } from '../parse/tree.ts';
import { isBlock, isHeading } from './elements.ts';
import { namesOf } from './names.ts';

/** Characters of a run of text that is taken for prose. */
const LEAST_PROSE = 100;

/**
 * What the elements of a page hold, by their index in document order. Text is counted in UTF-16 code units, white space
 * around it apart; the counts of an element include those of all that is inside.
 */
export class Survey {
  readonly elements: TreeNode[];
  /** Index of the parent; -1 for the root, whose index is 0. */
  readonly parents: number[] = [-1];
  /** Index after the last element inside. */
  readonly ends: number[] = [1];
  /** Bits of `NAME`. */
  readonly names: number[] = [0];
  /** Characters of the page before the element. */
  readonly before: number[] = [0];
  readonly text: number[] = [0];
  /** Text that may be what the page is about: all but links, and of these headings and cards (links around blocks). */
  readonly content: number[] = [0];
  /** Text in runs long enough for sentences, outside links. */
  readonly prose: number[] = [0];
  /** Prose of the page before the element. */
  readonly proseBefore: number[] = [0];
  /** 1: not to be written, nor what is inside. */
  readonly dropped: number[] = [0];
  private at = 0;
  private read = 0;
  private proseRead = 0;
  private link = -1;
  private heading = -1;
  private isCard = false;

  private constructor(root: TreeNode) {
    this.elements = [root];
  }

  static of(root: TreeNode): Survey {
    const survey = new Survey(root);
    let node = root.firstChild;
    while (node !== null) {
      if (node.nodeType === TEXT) survey.readText(node.data);
      else if (node.nodeType === ELEMENT) {
        survey.enter(node);
        if (node.firstChild !== null) {
          node = node.firstChild;
          continue;
        }
        survey.leave();
      }
      while (node !== null && node.nextSibling === null) {
        node = node.parentNode === root ? null : node.parentNode;
        if (node !== null) survey.leave();
      }
      node = node?.nextSibling ?? null;
    }
    survey.ends[0] = survey.elements.length;
    return survey;
  }

  /** Takes an element out of the counts of those around it. */
  drop(index: number): void {
    const end = this.ends[index] ?? index;
    for (let inside = index; inside < end; inside += 1) this.dropped[inside] = 1;
    for (const counts of [this.text, this.content, this.prose]) {
      const own = counts[index] ?? 0;
      for (let up = this.parents[index] ?? -1; up >= 0; up = this.parents[up] ?? -1)
        counts[up] = (counts[up] ?? 0) - own;
    }
  }

  private readText(data: string): void {
    const characters = data.trim().length;
    if (characters === 0) return;
    const { at } = this;
    this.read += characters;
    this.text[at] = (this.text[at] ?? 0) + characters;
    if (this.link < 0 || this.heading >= 0) this.content[at] = (this.content[at] ?? 0) + characters;
    if (this.link >= 0 || characters < LEAST_PROSE) return;
    this.prose[at] = (this.prose[at] ?? 0) + characters;
    this.proseRead += characters;
  }

  private enter(node: TreeNode): void {
    const index = this.elements.length;
    const { nodeName } = node;
    this.elements.push(node);
    this.parents.push(this.at);
    this.ends.push(index + 1);
    this.names.push(namesOf(node));
    this.before.push(this.read);
    this.proseBefore.push(this.proseRead);
    this.text.push(0);
    this.content.push(0);
    this.prose.push(0);
    this.dropped.push(0);
    if (this.link >= 0) this.isCard ||= isBlock(nodeName);
    else if (nodeName === 'A') {
      this.link = index;
      this.isCard = false;
    }
    if (this.heading < 0 && isHeading(nodeName)) this.heading = index;
    this.at = index;
  }

  private leave(): void {
    const { at, text, content, prose } = this;
    this.ends[at] = this.elements.length;
    if (this.link === at) {
      if (this.isCard)
        for (let inside = at; inside < this.elements.length; inside += 1) content[inside] = text[inside] ?? 0;
      this.link = -1;
    }
    if (this.heading === at) this.heading = -1;
    const parent = this.parents[at] ?? 0;
    text[parent] = (text[parent] ?? 0) + (text[at] ?? 0);
    content[parent] = (content[parent] ?? 0) + (content[at] ?? 0);
    prose[parent] = (prose[parent] ?? 0) + (prose[at] ?? 0);
    this.at = parent;
  }
}

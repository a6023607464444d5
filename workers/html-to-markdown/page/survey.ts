import { defined } from '../../exact/defined.ts';
import { ELEMENT, TEXT, type TreeNode, walk } from '../parse/tree.ts';
import { isBlock, isHeading } from './elements.ts';
import { namesOf } from './names.ts';

/** A run of text with at least this many characters counts as prose. */
const LEAST_PROSE = 100;

/** Stands for the text of a formula, whose elements are many and have no names. */
const FORMULA_CHARACTERS = 4;

/**
 * Counts of the text in the elements of a page, by their index in document order. Text is counted in UTF-16 code units,
 * without white space around it. The counts of an element include those of the elements inside.
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
  /** Text that may be content: all text outside links, and headings and cards (links around blocks) in links. */
  readonly content: number[] = [0];
  /** Text in runs long enough for sentences, outside links. */
  readonly prose: number[] = [0];
  /** Text in links. */
  readonly linked: number[] = [0];
  /** Prose of the page before the element. */
  readonly proseBefore: number[] = [0];
  /** Indices of the links. */
  readonly links: number[] = [];
  /** 1 for an element that is not written, nor anything inside it. */
  readonly dropped: number[] = [0];
  private at = 0;
  private read = 0;
  private proseRead = 0;
  private link = -1;
  private heading = -1;
  private code = -1;
  private isCard = false;

  private constructor(root: TreeNode) {
    this.elements = [root];
  }

  static of(root: TreeNode): Survey {
    const survey = new Survey(root);
    walk(root, {
      enter(node) {
        if (node.nodeType === TEXT) survey.readText(node.trimmedLength);
        if (node.nodeType !== ELEMENT) return 'past';
        survey.enter(node);
        if (node.nodeName !== 'MATH') return 'into';
        survey.readText(FORMULA_CHARACTERS);
        return 'past';
      },
      leave(node) {
        if (node.nodeType === ELEMENT) survey.leave();
      },
    });
    survey.ends[0] = survey.elements.length;
    return survey;
  }

  /** Node name of the element at an index. */
  nameAt(index: number): string {
    return defined(this.elements[index]).nodeName;
  }

  /** Indices of the children of an element that are still there. */
  childrenOf(index: number): readonly number[] {
    const children: number[] = [];
    for (let child = index + 1; child < defined(this.ends[index]); child = defined(this.ends[child])) {
      if (this.dropped[child] !== 1) children.push(child);
    }
    return children;
  }

  /** Drops an element and subtracts its counts from those of the elements around it. */
  drop(index: number): void {
    this.dropped.fill(1, index, defined(this.ends[index]));
    for (const counts of [this.text, this.content, this.prose, this.linked]) {
      const own = defined(counts[index]);
      for (let up = defined(this.parents[index]); up >= 0; up = defined(this.parents[up])) {
        counts[up] = defined(counts[up]) - own;
      }
    }
  }

  private readText(characters: number): void {
    if (characters === 0) return;
    const { at } = this;
    this.read += characters;
    this.text[at] = defined(this.text[at]) + characters;
    if (this.link < 0 || this.heading >= 0) this.content[at] = defined(this.content[at]) + characters;
    if (this.link >= 0) this.linked[at] = defined(this.linked[at]) + characters;
    if (this.link >= 0 || characters < LEAST_PROSE) return;
    this.prose[at] = defined(this.prose[at]) + characters;
    this.proseRead += characters;
  }

  private enter(node: TreeNode): void {
    const index = this.elements.length;
    const { nodeName } = node;
    this.elements.push(node);
    this.parents.push(this.at);
    this.ends.push(index + 1);
    // Highlighters name the parts of code: a comment, a tag.
    this.names.push(this.code >= 0 ? 0 : namesOf(node));
    this.before.push(this.read);
    this.proseBefore.push(this.proseRead);
    if (nodeName === 'PRE' && this.code < 0) this.code = index;
    this.text.push(0);
    this.content.push(0);
    this.prose.push(0);
    this.linked.push(0);
    this.dropped.push(0);
    if (nodeName === 'A') this.links.push(index);
    if (this.link >= 0) this.isCard ||= isBlock(nodeName);
    else if (nodeName === 'A') {
      this.link = index;
      this.isCard = false;
    }
    if (this.heading < 0 && isHeading(nodeName)) this.heading = index;
    this.at = index;
  }

  private leave(): void {
    const { at, text, content, prose, linked } = this;
    this.ends[at] = this.elements.length;
    if (this.link === at) {
      if (this.isCard) {
        for (let inside = at; inside < this.elements.length; inside += 1) content[inside] = defined(text[inside]);
      }
      this.link = -1;
    }
    if (this.heading === at) this.heading = -1;
    if (this.code === at) this.code = -1;
    const parent = defined(this.parents[at]);
    text[parent] = defined(text[parent]) + defined(text[at]);
    content[parent] = defined(content[parent]) + defined(content[at]);
    prose[parent] = defined(prose[parent]) + defined(prose[at]);
    linked[parent] = defined(linked[parent]) + defined(linked[at]);
    this.at = parent;
  }
}

import { serialize, serializeOuter } from 'parse5';
import { ELEMENT, FRAGMENT, TEXT, type TreeNode } from '../../parse/tree.ts';
import { CountingTreeAdapter, type TreeAdapterMap } from '../../parse/tree-adapter.ts';

/** Turndown's own lists (7.2.5, `utilities.js`). */
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE AUDIO BLOCKQUOTE BODY CANVAS CENTER DD DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM ' +
    'FRAMESET H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML ISINDEX LI MAIN MENU NAV NOFRAMES NOSCRIPT OL OUTPUT P PRE SECTION ' +
    'TABLE TBODY TD TFOOT TH THEAD TR UL'
  ).split(' '),
);
/** Elements that say something without text. */
const MEANINGFUL = new Set(
  (
    'AREA BASE BR COL COMMAND EMBED HR IMG INPUT KEYGEN LINK META PARAM SOURCE TRACK WBR ' +
    'A TABLE THEAD TBODY TFOOT TH TD IFRAME SCRIPT AUDIO VIDEO'
  ).split(' '),
);
const SPACES = /[ \t\r\n]+/g;

const known = new WeakMap<TreeNode, DomNode>();

/** The view of a node that plugins get. One node has one view, so plugins can compare them. */
export function domNodeOf(node: TreeNode): DomNode {
  let view = known.get(node);
  if (view === undefined) {
    view = new DomNode(node);
    known.set(node, view);
  }
  return view;
}

/**
 * A node as rules of Turndown read it, computed when it is asked for. As in Turndown, text between blocks that is only
 * white space is not there, and other white space is collapsed outside `pre`. It cannot be changed.
 */
class DomNode {
  readonly #node: TreeNode;
  readonly nodeType: number;
  readonly nodeName: string;
  readonly tagName: string;
  readonly isBlock: boolean;
  #isBlank: boolean | undefined;

  constructor(node: TreeNode) {
    this.#node = node;
    this.nodeType = node.nodeType;
    this.nodeName = node.nodeName;
    this.tagName = node.nodeName;
    this.isBlock = BLOCKS.has(node.nodeName);
  }

  get isCode(): boolean {
    return isWithin(this.#node, 'CODE');
  }

  get isBlank(): boolean {
    this.#isBlank ??= this.#isInBlank() || this.#holdsNothing();
    return this.#isBlank;
  }

  /** Whether an element around it is known to be blank. Without this, nested ones would take quadratic time. */
  #isInBlank(): boolean {
    const { parentNode } = this.#node;
    const around = parentNode === null ? undefined : known.get(parentNode);
    return around !== undefined && around.#isBlank === true;
  }

  #holdsNothing(): boolean {
    if (MEANINGFUL.has(this.nodeName)) return false;
    for (const node of this.#node.descendants()) {
      if (node.nodeType === TEXT ? node.trimmedLength > 0 : MEANINGFUL.has(node.nodeName)) return false;
    }
    return true;
  }

  /** The white space to write around the element, whose content is without it. */
  get flankingWhitespace(): { readonly leading: string; readonly trailing: string } {
    const spaceAt = (edge: Edge, beside: DomNode | null, facing: Edge) =>
      !this.isBlock && edgeOf(this.#node, edge) && (beside === null || beside.isBlock || !edgeOf(beside.#node, facing))
        ? ' '
        : '';
    return {
      leading: spaceAt('firstChild', this.previousSibling, 'lastChild'),
      trailing: spaceAt('lastChild', this.nextSibling, 'firstChild'),
    };
  }

  get attributes(): readonly { readonly name: string; readonly value: string }[] {
    return this.#node.attributes.map(({ name, value }) => ({ name, value }));
  }

  getAttribute(name: string): string | null {
    return this.#node.getAttribute(name.toLowerCase());
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  get id(): string {
    return this.getAttribute('id') ?? '';
  }

  get className(): string {
    return this.#node.classes;
  }

  get type(): string {
    return this.getAttribute('type')?.toLowerCase() ?? '';
  }

  get checked(): boolean {
    return this.hasAttribute('checked');
  }

  get nodeValue(): string | null {
    return this.nodeType === TEXT ? this.textContent : null;
  }

  get data(): string | null {
    return this.nodeValue;
  }

  get textContent(): string {
    const text = this.#node.textContent;
    return isWithin(this.#node, 'PRE') ? text : text.replace(SPACES, ' ');
  }

  get innerHTML(): string {
    return serialize<TreeAdapterMap>(this.#node, { treeAdapter: new CountingTreeAdapter() });
  }

  get outerHTML(): string {
    return serializeOuter<TreeAdapterMap>(this.#node, { treeAdapter: new CountingTreeAdapter() });
  }

  get parentNode(): DomNode | null {
    return viewOf(this.#node.parentNode);
  }

  get childNodes(): readonly DomNode[] {
    return this.#node.childNodes.filter(isShown).map(domNodeOf);
  }

  get children(): readonly DomNode[] {
    return this.#node.children.map(domNodeOf);
  }

  get firstChild(): DomNode | null {
    return viewOf(shownFrom(this.#node.firstChild, 'nextSibling'));
  }

  get lastChild(): DomNode | null {
    return viewOf(shownFrom(this.#node.lastChild, 'previousSibling'));
  }

  get nextSibling(): DomNode | null {
    return viewOf(shownFrom(this.#node.nextSibling, 'nextSibling'));
  }

  get previousSibling(): DomNode | null {
    return viewOf(shownFrom(this.#node.previousSibling, 'previousSibling'));
  }

  /** The rows of a table, without those of tables in it. */
  get rows(): readonly DomNode[] | undefined {
    if (this.nodeName !== 'TABLE') return undefined;
    const parts = this.#node.children.flatMap((part) =>
      /^T(?:HEAD|BODY|FOOT)$/.test(part.nodeName) ? part.children : part,
    );
    return parts.filter(({ nodeName }) => nodeName === 'TR').map(domNodeOf);
  }
}

type Edge = 'firstChild' | 'lastChild';

/** Whether the text of a node has white space at an edge. */
function edgeOf(node: TreeNode, edge: Edge): boolean {
  let at = node;
  for (let inner = at[edge]; inner !== null; inner = at[edge]) at = inner;
  return at.nodeType === TEXT && /^[ \t\r\n]/.test(edge === 'firstChild' ? at.data : at.data.slice(-1));
}

const viewOf = (node: TreeNode | null): DomNode | null => (node === null ? null : domNodeOf(node));

function shownFrom(start: TreeNode | null, direction: 'nextSibling' | 'previousSibling'): TreeNode | null {
  let node = start;
  while (node !== null && !isShown(node)) node = node[direction];
  return node;
}

/** Whether Turndown sees a node: white space at the edge of a block is dropped. */
function isShown(node: TreeNode): boolean {
  if (node.nodeType === ELEMENT) return true;
  if (node.nodeType !== TEXT || node.data === '') return false;
  if (node.trimmedLength > 0 || isWithin(node, 'PRE')) return true;
  const { previousSibling, nextSibling, parentNode } = node;
  return ![previousSibling ?? parentNode, nextSibling ?? parentNode].some((side) => side === null || endsLine(side));
}

const endsLine = ({ nodeType, nodeName }: TreeNode): boolean =>
  nodeType === FRAGMENT || nodeName === 'BR' || BLOCKS.has(nodeName);

function isWithin(node: TreeNode, name: string): boolean {
  for (let at: TreeNode | null = node; at !== null; at = at.parentNode) if (at.nodeName === name) return true;
  return false;
}

import { defined } from '../../../exact/defined.ts';
import { ELEMENT, elementFrom, nextOutside, type TreeNode } from '../../parse/tree.ts';
import { verbatim } from './marks.ts';
import { readText } from './read-text.ts';

const NOTE_NAMES = new Set(['LI', 'P', 'DIV', 'DD', 'ASIDE']);
const CALL_TEXT = /^\[?\s*(\d{1,4})\s*\]?$/;
const BACK_SIGN = /^(?:\\?\^|↑|[.:)\]])\s+/;
/** Most levels between the target of a link and the element that is meant. */
const NEAR = 3;
const MAX_DEPTH_IN_NOTE = 8;
const MAX_CALL_CHARACTERS = 12;

interface Link {
  readonly node: TreeNode;
  readonly target: TreeNode;
  /** Whether the target comes after the link. Calls come before their notes, and back links after their calls. */
  readonly isForward: boolean;
}

interface Note {
  readonly label: string;
  readonly calls: Set<TreeNode>;
  readonly backs: Set<TreeNode>;
  isPlain: boolean;
}

/**
 * The footnotes of one document. A call is a number that links to a note, and the note links back to the number. Links that
 * are not surely footnotes stay links. The document is searched when its first link into itself is met.
 */
export class Footnotes {
  private readonly root: TreeNode;
  private notes: ReadonlyMap<TreeNode, Note> | undefined;
  private readonly labels = new Map<TreeNode, string>();
  private readonly backs = new Set<TreeNode>();

  constructor(root: TreeNode) {
    this.root = root;
  }

  roleOf(link: TreeNode): 'call' | 'back' | null {
    if (!link.getAttribute('href')?.startsWith('#')) return null;
    this.find();
    if (this.labels.has(link)) return 'call';
    return this.backs.has(link) ? 'back' : null;
  }

  /** The call that is the only content of an element. */
  callWithin(node: TreeNode): TreeNode | null {
    const child = elementFrom(node.firstChild);
    if (child?.nodeName !== 'A' || this.roleOf(child) !== 'call') return null;
    return CALL_TEXT.test(readText(node).trim()) ? child : null;
  }

  writeCall(link: TreeNode): string {
    return verbatim(`[^${defined(this.labels.get(link))}]`);
  }

  isNote(node: TreeNode): boolean {
    return this.notes?.has(node) === true;
  }

  writeNote(node: TreeNode, content: string): string {
    const text = content.replace(BACK_SIGN, '').replace(/\n(?!\n|$)/g, '\n    ');
    return `[^${defined(this.notes?.get(node)).label}]: ${text}`;
  }

  private find(): void {
    if (this.notes !== undefined) return;
    const notes = findNotes(findLinks(this.root));
    for (const note of notes.values()) {
      for (const call of note.calls) this.labels.set(call, note.label);
      for (const back of note.backs) this.backs.add(back);
    }
    this.notes = notes;
  }
}

function findLinks(root: TreeNode): Link[] {
  const targets = new Map<string, { readonly node: TreeNode; readonly order: number }>();
  const links: { readonly node: TreeNode; readonly href: string; readonly order: number }[] = [];
  let order = 0;
  // Not the generator of descendants, which costs more than most nodes here.
  for (let node = root.firstChild; node !== null; node = node.firstChild ?? nextOutside(node, root)) {
    if (node.nodeType !== ELEMENT || node.attributes.length === 0) continue;
    order += 1;
    const id = node.getAttribute('id') ?? (node.nodeName === 'A' ? node.getAttribute('name') : null);
    if (id !== null && !targets.has(id)) targets.set(id, { node, order });
    const href = node.nodeName === 'A' ? node.getAttribute('href') : null;
    if (href?.startsWith('#')) links.push({ node, href, order });
  }
  return links.flatMap((link) => {
    const target = targets.get(readFragment(link.href));
    if (target === undefined) return [];
    return [{ node: link.node, target: target.node, isForward: target.order > link.order }];
  });
}

function readFragment(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}

function findNotes(links: readonly Link[]): Map<TreeNode, Note> {
  const notes = new Map<TreeNode, Note>();
  for (const { node, target, isForward } of links) {
    if (!isForward) continue;
    const label = readLabel(node);
    const place = label === null ? null : findPlace(target);
    if (label === null || place === null || findAncestor(node, (at) => at === place, MAX_DEPTH_IN_NOTE)) continue;
    const note = notes.get(place) ?? { label, calls: new Set(), backs: new Set(), isPlain: true };
    if (note.label !== label) note.isPlain = false;
    note.calls.add(node);
    notes.set(place, note);
  }
  for (const { node, target, isForward } of links) {
    if (isForward) continue;
    const place = findAncestor(node, (at) => notes.has(at), MAX_DEPTH_IN_NOTE);
    const note = place === null ? undefined : notes.get(place);
    if (note !== undefined && callsNear(target).some((call) => note.calls.has(call))) note.backs.add(node);
  }
  return keepSure(notes);
}

/** Leaves out notes without a back link, labels that occur twice, and lists with other items. */
function keepSure(notes: Map<TreeNode, Note>): Map<TreeNode, Note> {
  const uses = new Map<string, number>();
  for (const { label } of notes.values()) uses.set(label, (uses.get(label) ?? 0) + 1);
  const isSure = (place: TreeNode) => {
    const note = notes.get(place);
    return note?.isPlain === true && note.backs.size > 0 && uses.get(note.label) === 1;
  };
  const lists = new Map<TreeNode | null, boolean>();
  const isSureList = (list: TreeNode | null) => {
    const known = lists.get(list);
    if (known !== undefined) return known;
    const items = list === null ? [] : list.children;
    const isAll = items.every(isSure);
    lists.set(list, isAll);
    return isAll;
  };
  return new Map(
    [...notes].filter(([place]) => isSure(place) && (place.nodeName !== 'LI' || isSureList(place.parentNode))),
  );
}

function readLabel(link: TreeNode): string | null {
  const text = readText(link).trim();
  return text.length > MAX_CALL_CHARACTERS ? null : (CALL_TEXT.exec(text)?.[1] ?? null);
}

/** The block of a note: the target or an element around it. A note is never in a table. */
function findPlace(target: TreeNode): TreeNode | null {
  const place = findAncestor(target, ({ nodeName }) => NOTE_NAMES.has(nodeName), NEAR);
  if (place === null || findAncestor(place, ({ nodeName }) => nodeName === 'TABLE', Number.POSITIVE_INFINITY)) {
    return null;
  }
  return place;
}

/** The node itself or the nearest element around it that fits. */
function findAncestor(node: TreeNode, fits: (node: TreeNode) => boolean, levels: number): TreeNode | null {
  let at: TreeNode | null = node;
  for (let level = 0; at !== null && level <= levels; level += 1, at = at.parentNode) if (fits(at)) return at;
  return null;
}

/** Elements that a back link may refer to by its target: the target itself, or one right around, in or beside it. */
function callsNear(target: TreeNode): TreeNode[] {
  const near: TreeNode[] = [];
  let within: TreeNode | null = target;
  for (let level = 0; within !== null && level < NEAR; level += 1) {
    near.push(within);
    within = elementFrom(within.firstChild);
  }
  if (target.parentNode !== null) near.push(target.parentNode);
  const next = elementFrom(target.nextSibling);
  if (next === null) return near;
  near.push(next);
  const inNext = elementFrom(next.firstChild);
  if (inNext !== null) near.push(inNext);
  return near;
}

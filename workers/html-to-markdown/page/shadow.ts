import { ELEMENT, moveChildren, TEXT, type TreeNode } from '../parse/tree.ts';

const MODE = /^(?:open|closed)$/i;
/** The sum of the depths at which trees are placed. Trees can be in each other, so it limits how deep the page can become. */
const MAX_DEPTHS = 1500;

interface Slot {
  readonly node: TreeNode;
  readonly assigned: TreeNode[];
}

/** The shadow trees that a page declares (WHATWG HTML 4.12.3). Browsers show them instead of the children of their hosts. */
export class ShadowTrees {
  private depths = 0;

  /** Puts the tree of a template after it, with the children of the host in the slots. It changes nothing for other templates. */
  place(template: TreeNode): void {
    const { content, parentNode: host } = template;
    const mode = template.getAttribute('shadowrootmode');
    if (content === undefined || host === null || mode === null || !MODE.test(mode)) return;
    const { slots, depth } = surveyOf(content);
    this.depths += host.depth + depth;
    if (this.depths > MAX_DEPTHS) return;
    for (const child of host.childNodes) {
      if (child === template) continue;
      host.removeChild(child);
      // An element has one shadow tree. Further templates are not shown.
      if (child.nodeName === 'TEMPLATE' && child.getAttribute('shadowrootmode') !== null) continue;
      slots.get(slotOf(child))?.assigned.push(child);
    }
    for (const { node, assigned } of slots.values()) if (assigned.length > 0) replaceChildren(node, assigned);
    moveChildren(content, host);
  }
}

/** The slots of a tree by name, and the depth of the tree. Only the first slot of a name is filled. */
function surveyOf(content: TreeNode): { readonly slots: ReadonlyMap<string, Slot>; readonly depth: number } {
  const slots = new Map<string, Slot>();
  let depth = 0;
  for (const node of content.descendants()) {
    depth = Math.max(depth, node.depth);
    if (node.nodeName !== 'SLOT') continue;
    const name = node.getAttribute('name') ?? '';
    if (!slots.has(name)) slots.set(name, { node, assigned: [] });
  }
  return { slots, depth };
}

function slotOf(child: TreeNode): string {
  return child.nodeType === ELEMENT ? (child.getAttribute('slot') ?? '') : '';
}

/** White space alone does not replace what a slot shows by default. */
function replaceChildren(slot: TreeNode, assigned: readonly TreeNode[]): void {
  if (assigned.every((node) => node.nodeType === TEXT && node.data.trim() === '')) return;
  for (const child of slot.childNodes) slot.removeChild(child);
  for (const node of assigned) slot.appendChild(node);
}

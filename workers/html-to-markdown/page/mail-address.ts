import type { TreeNode } from '../parse/tree.ts';

const LINK = /\/cdn-cgi\/l\/email-protection(?:#([\da-f]+))?/i;
const CODE = /^(?:[\da-f]{2}){2,300}$/i;

/** Writes the mail address that Cloudflare hides in an attribute and in the link around it. A script of the page does the same. */
export function restoreMailAddress(node: TreeNode): void {
  const code = node.getAttribute('data-cfemail');
  const href = node.nodeName === 'A' ? node.attributes.find(({ name }) => name === 'href') : undefined;
  const link = href === undefined ? null : LINK.exec(href.value);
  const linked = decode(link?.[1] ?? code ?? '');
  if (href !== undefined && link !== null && linked !== null) href.value = `mailto:${linked}`;
  const address = code === null ? null : decode(code);
  const text = node.firstChild;
  // The `?subject=` of a link is not part of the text.
  if (address !== null && text !== null) text.data = address.split('?')[0] ?? address;
  if (address !== null) for (const child of node.childNodes.slice(1)) child.remove();
}

/** The first byte of the code is combined with each of the others. */
function decode(code: string): string | null {
  if (!CODE.test(code)) return null;
  const [key = 0, ...bytes] = Buffer.from(code, 'hex');
  return Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8');
}

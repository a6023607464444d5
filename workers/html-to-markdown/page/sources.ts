import { hostOf, siteOf } from '../metadata/hosts.ts';
import type { TreeNode } from '../parse/tree.ts';

const MAX_ADDRESS_CHARACTERS = 500;
const FILE =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|csv|epub|zip|gz|mp3|mp4|xml|json|txt|jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i;

const CONTACT = /^\s*(?:mailto|tel):/i;

/** Whether a link writes to a person or calls one. */
export function isContact(link: TreeNode): boolean {
  return CONTACT.test(link.getAttribute('href') ?? '');
}

export function isFile(link: TreeNode): boolean {
  return FILE.test(link.getAttribute('href')?.slice(0, MAX_ADDRESS_CHARACTERS) ?? '');
}

/**
 * Whether a link leads to a file, or to another site that pays nothing for it. Other links lead to pages of the same site. `host`:
 * null if no site is another one.
 */
export function isSource(link: TreeNode, host: string | null): boolean {
  const href = link.getAttribute('href')?.slice(0, MAX_ADDRESS_CHARACTERS);
  if (href === undefined) return false;
  if (isFile(link)) return true;
  const other = hostOf(href);
  const isPaid = link.getAttribute('rel')?.includes('sponsored') === true;
  return host !== null && other !== null && siteOf(other) !== siteOf(host) && !isPaid;
}

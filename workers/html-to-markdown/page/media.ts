import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import type { Part } from './part.ts';
import { isFile } from './sources.ts';
import type { Survey } from './survey.ts';

const MEDIA = new Set('FIGURE VIDEO AUDIO IFRAME'.split(' '));
/** Levels between an image and the link that it is. */
const MAX_LEVELS = 4;

/** Whether a part has pictures or other media to show. */
export function holdsMedia(survey: Survey, { start, end }: Part): boolean {
  for (let index = start; index < end; index += 1) {
    if (survey.dropped[index] === 1) continue;
    const node = defined(survey.elements[index]);
    if (MEDIA.has(node.nodeName) || (node.nodeName === 'IMG' && isPicture(node))) return true;
  }
  return false;
}

/** Whether an image has a text, and is no link to a page. */
function isPicture(image: TreeNode): boolean {
  if ((image.getAttribute('alt') ?? '').trim() === '') return false;
  let up = image.parentNode;
  for (let level = 0; level < MAX_LEVELS && up !== null; level += 1, up = up.parentNode)
    if (up.nodeName === 'A') return isFile(up);
  return true;
}

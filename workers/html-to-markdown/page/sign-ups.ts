import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import { isContact } from './sources.ts';
import type { Survey } from './survey.ts';

const MAX_CHARACTERS = 300;
const MAIL = /e-?mail/i;
/** Parts of the content that such a box can be in. */
const CONTENT = new Set('ARTICLE MAIN LI DT DD TD TR'.split(' '));

/** Boxes that ask for a mail address: for a newsletter, an account, a notice. Pages of reference have such fields as examples. */
export const signUps: Rule = {
  name: 'sign-up',
  kinds: ['thread', 'article', 'list', 'product'],
  begin({ survey }) {
    const { elements } = survey;
    let judged = 0;
    return {
      find(index) {
        if (index < judged || !asksForMail(defined(elements[index]))) return 'into';
        const box = boxAround(survey, index);
        judged = box.end;
        return box;
      },
      isFrame: ({ text }) => text > 0,
      isContent: ({ start, end }) => elements.slice(start, end).some(isAboutContact),
    };
  },
};

function asksForMail(node: TreeNode): boolean {
  if (node.nodeName !== 'INPUT') return false;
  const type = node.getAttribute('type') ?? 'text';
  return MAIL.test(type) || (type === 'text' && MAIL.test(node.getAttribute('name') ?? ''));
}

/** The largest element around a field that has little text. */
function boxAround(survey: Survey, field: number): Part {
  const { parents, text } = survey;
  let box = field;
  for (let up = defined(parents[box]); up > 0 && defined(text[up]) <= MAX_CHARACTERS; up = defined(parents[up])) {
    if (CONTENT.has(survey.nameAt(up))) break;
    box = up;
  }
  return new Part(survey, [box]);
}

/** Whether an element tells how to reach someone, or is the title of the page. */
function isAboutContact(node: TreeNode): boolean {
  return ['ADDRESS', 'TEXTAREA', 'H1'].includes(node.nodeName) || (node.nodeName === 'A' && isContact(node));
}

import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import { Part } from './part.ts';
import { leadTo, type Rule } from './rule.ts';
import { isContact } from './sources.ts';
import type { Survey } from './survey.ts';

const MAX_CHARACTERS = 300;
const MAIL = /e-?mail/i;
/** Parts of the content that such a box can be in. */
const AROUND = new Set('ARTICLE MAIN LI DT DD TD TR'.split(' '));
/** Titles, data, and ways to write to someone. */
const STAYING = new Set('H1 ADDRESS TEXTAREA UL OL DL TABLE PRE TIME'.split(' '));

/** Boxes that ask for a mail address: for a newsletter, an account, a notice. Pages of reference have such fields as examples. */
export const signUps: Rule = {
  name: 'sign-up',
  kinds: ['thread', 'article', 'list', 'product'],
  begin({ survey, about: { kind } }) {
    const { elements } = survey;
    const at = leadTo(survey, fieldsOf(survey));
    let judged = 0;
    return {
      find(index) {
        const found = at(index);
        if (found !== 'it') return found;
        if (index < judged) return 'past';
        const box = boxAround(survey, index);
        judged = box.end;
        return box;
      },
      // On the page of a product, what is for sale may be beside the field.
      isFrame: ({ text, heading }) => text > 0 && (kind !== 'product' || heading >= 0),
      // A number is a price, a date, or a way to reach someone.
      isContent: ({ start, end }) =>
        /\d/.test(defined(elements[start]).textContent) || elements.slice(start, end).some(isInformation),
    };
  },
};

/** The fields for a mail address. */
function fieldsOf({ elements }: Survey): readonly number[] {
  const fields: number[] = [];
  for (let index = 0; index < elements.length; index += 1)
    if (asksForMail(defined(elements[index]))) fields.push(index);
  return fields;
}

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
    if (AROUND.has(survey.nameAt(up))) break;
    box = up;
  }
  return new Part(survey, [box]);
}

function isInformation(node: TreeNode): boolean {
  return STAYING.has(node.nodeName) || (node.nodeName === 'A' && isContact(node));
}

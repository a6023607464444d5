import { defined } from '../../exact/defined.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** An element that is named as main content is believed if it has this share of the page's content and of its prose. */
const LEAST_OF_PAGE = 0.35;
/** An element with this share of another one's content can replace it: it has less besides. */
const NEARLY_ALL = 0.8;
const CONTAINERS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN']);

/** Index of the element with the main content of a page whose frame was dropped. 0, the whole page, if there is none. */
export function findMainContent(survey: Survey): number {
  const { elements, names, content, prose, dropped } = survey;
  const least = defined(content[0]) * LEAST_OF_PAGE;
  const leastProse = defined(prose[0]) * LEAST_OF_PAGE;
  let best = 0;
  for (let index = 1; index < elements.length; index += 1) {
    if ((defined(names[index]) & NAME.main) === 0 || dropped[index] === 1) continue;
    const own = defined(content[index]);
    if (own < least || defined(prose[index]) < leastProse) continue;
    if (best === 0 || own > defined(content[best])) best = index;
  }
  return narrow(survey, best);
}

/** The innermost container with nearly all content. Prose before it is never left out: it is a lead, or a question. */
function narrow(survey: Survey, root: number): number {
  const { ends, content, prose, proseBefore } = survey;
  const least = defined(content[root]) * NEARLY_ALL;
  const leastProse = defined(prose[root]) * NEARLY_ALL;
  if (least === 0) return root;
  let at = root;
  for (let index = root + 1; index < defined(ends[at]); ) {
    const isAsGood =
      defined(content[index]) >= least &&
      defined(prose[index]) >= leastProse &&
      proseBefore[index] === proseBefore[root] &&
      isContainer(survey, index);
    if (isAsGood) at = index;
    index = isAsGood ? index + 1 : defined(ends[index]);
  }
  return at;
}

function isContainer(survey: Survey, index: number): boolean {
  return survey.dropped[index] !== 1 && CONTAINERS.has(survey.nameAt(index));
}

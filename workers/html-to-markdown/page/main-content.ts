import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** What calls itself the main content is believed when it holds this share of the page's content, and of its prose. */
const LEAST_OF_PAGE = 0.35;
/** One element that holds nearly all of another is as good, and has less beside it. */
const NEARLY_ALL = 0.8;
const CONTAINERS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN']);

/** Index of the element that holds the main content of a page without its frame: 0 where nothing stands out. */
export function findMainContent(survey: Survey): number {
  const { elements, names, content, prose, dropped } = survey;
  const least = (content[0] ?? 0) * LEAST_OF_PAGE;
  const leastProse = (prose[0] ?? 0) * LEAST_OF_PAGE;
  let best = 0;
  for (let index = 1; index < elements.length; index += 1) {
    if (((names[index] ?? 0) & NAME.main) === 0 || dropped[index] === 1) continue;
    const own = content[index] ?? 0;
    if (own < least || (prose[index] ?? 0) < leastProse) continue;
    if (best === 0 || own > (content[best] ?? 0)) best = index;
  }
  return narrow(survey, best);
}

/** Prose that stands before is never left out: it is a lead, or the question above the answers. */
function narrow(survey: Survey, root: number): number {
  const { ends, content, prose, proseBefore } = survey;
  const least = (content[root] ?? 0) * NEARLY_ALL;
  const leastProse = (prose[root] ?? 0) * NEARLY_ALL;
  if (least === 0) return root;
  let at = root;
  for (let index = root + 1; index < (ends[at] ?? 0); ) {
    const isAsGood =
      (content[index] ?? 0) >= least &&
      (prose[index] ?? 0) >= leastProse &&
      proseBefore[index] === proseBefore[root] &&
      isContainer(survey, index);
    if (isAsGood) at = index;
    index = isAsGood ? index + 1 : (ends[index] ?? index + 1);
  }
  return at;
}

function isContainer({ elements, dropped }: Survey, index: number): boolean {
  return dropped[index] !== 1 && CONTAINERS.has(elements[index]?.nodeName ?? '');
}

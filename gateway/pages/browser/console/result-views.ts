import { codeBlock, element } from '../page/dom.ts';
import { showMarkdown } from './markdown-views.ts';
import { drawMap, type Place } from './place-map.ts';
import type { Request } from './request-form.ts';

/** A result as pictures and words, and as JSON. @param outlines where the outlines of countries are */
export async function viewsOf(
  { html }: Request,
  result: Readonly<Record<string, unknown>>,
  outlines: string,
): Promise<readonly HTMLElement[]> {
  const json = codeBlock(JSON.stringify(result, null, 2));
  const { markdown, results } = result;
  if (typeof markdown === 'string' && typeof html === 'string') return [...showMarkdown(html, markdown), folded(json)];
  const places = Array.isArray(results) ? results.filter(isPlace) : [];
  if (places.length === 0) return [element('p', {}, 'Nothing was found.'), folded(json)];
  const list = places.map(({ formattedAddress, latitude, longitude }) =>
    element('li', {}, `${formattedAddress ?? 'A place without an address'} (${latitude}, ${longitude})`),
  );
  return [element('ol', {}, ...list), await drawMap(outlines, places), folded(json)];
}

const folded = (json: HTMLElement): HTMLElement => element('details', {}, element('summary', {}, 'JSON'), json);

const isPlace = (value: unknown): value is Place =>
  typeof Object(value).latitude === 'number' && typeof Object(value).longitude === 'number';

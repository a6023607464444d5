import { element } from '../page/dom.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly formattedAddress: string | null;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** The map shows at least this many degrees of longitude. */
const LEAST_SPAN = 12;
const RATIO = 2;

function svg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Draws places on the outlines of countries. One degree is one unit, longitudes to the right and latitudes upwards. */
export async function drawMap(outlines: string, places: readonly Place[]): Promise<HTMLElement> {
  const { path } = await (await fetch(outlines)).json();
  const names = places.map(
    ({ formattedAddress, latitude, longitude }) => formattedAddress ?? `${latitude}, ${longitude}`,
  );
  const { x, y, width } = frameOf(places);
  const map = svg('svg', {
    viewBox: `${x} ${y} ${width} ${width / RATIO}`,
    role: 'img',
    'aria-label': `Map: ${names.join('; ')}`,
    class: 'map',
  });
  // Outlines are in tenths of degrees.
  map.append(svg('path', { d: String(path), transform: 'scale(0.1)', class: 'outlines' }));
  for (const [index, { latitude, longitude }] of places.entries()) {
    const dot = svg('circle', {
      cx: String(longitude),
      cy: String(-latitude),
      r: String(width / (index === 0 ? 80 : 130)),
      class: index === 0 ? 'best' : 'other',
    });
    const title = svg('title', {});
    title.textContent = names[index] ?? '';
    dot.append(title);
    map.append(dot);
  }
  const caption = `${places.length === 1 ? 'One place' : `${places.length} places, the best one in red`}`;
  const figure = element('figure', {}, element('figcaption', {}, caption));
  figure.prepend(map);
  return figure;
}

/** The part of the world that shows all places with room around them. */
function frameOf(places: readonly Place[]) {
  const longitudes = places.map(({ longitude }) => longitude);
  const latitudes = places.map(({ latitude }) => -latitude);
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  const [north, south] = [Math.min(...latitudes), Math.max(...latitudes)];
  const width = Math.min(360, Math.max(LEAST_SPAN, (east - west) * 1.5, (south - north) * 1.5 * RATIO));
  return { x: (west + east - width) / 2, y: (north + south - width / RATIO) / 2, width };
}

import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import type { Operation } from '../../../../gateway/operations/operation/operation.ts';
import { reverseGeocode } from '../../../../gateway/operations/reverse-geocode/operation.ts';
import type { Random } from '../../random.ts';

/** Queries that the gazetteer answers. */
export const PLACES = [
  'Łódź, Poland',
  'Vienna',
  'São Paulo',
  '東京',
  'Portland, Oregon',
  'Cairo',
  'Wellington',
] as const;

export interface Order {
  readonly operation: Operation;
  /** JSON text. */
  readonly body: string;
  readonly args: object;
}

/** Creates a valid call of a random operation. The bodies differ, so two answers are not equal by chance. */
export function createOrder(random: Random): Order {
  const operation = random.pick([geocode, reverseGeocode, htmlToMarkdown, htmlToMarkdown]);
  const args = argsOf(operation, random);
  return { operation, args, body: JSON.stringify(args) };
}

function argsOf(operation: Operation, random: Random): object {
  if (operation === geocode)
    return {
      query: random.pick(PLACES),
      biasLatitude: random.between(-80, 80),
      biasLongitude: random.between(-180, 180),
    };
  if (operation === reverseGeocode) {
    return { latitude: random.between(-80, 80), longitude: random.between(-180, 180) };
  }
  const paragraphs = Array.from({ length: 1 + Math.floor(random.between(0, 200)) }, (_, n) => `<p>Paragraph ${n}</p>`);
  return { html: `<h1>Soak ${random.between(0, 1)}</h1>${paragraphs.join('')}` };
}

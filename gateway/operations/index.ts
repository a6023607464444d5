import { geocode } from './geocode/operation.ts';
import { htmlToMarkdown } from './html-to-markdown/operation.ts';
import type { Operation } from './operation/operation.ts';
import { reverseGeocode } from './reverse-geocode/operation.ts';

/** Every operation. To add one, add a folder beside this file and a line here. */
export const operations: readonly Operation[] = [geocode, reverseGeocode, htmlToMarkdown];

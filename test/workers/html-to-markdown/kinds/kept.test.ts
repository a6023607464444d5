import { KEPT } from './kept.ts';
import { testCases } from './kinds.ts';

testCases(KEPT.map(([id, what, html, wanted]) => [`${id}: ${what}`, html, wanted]));

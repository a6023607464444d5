import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'digits and signs become superscript and subscript characters',
    '<p>x<sup>2</sup> 10<sup>-6</sup> H<sub>2</sub>O a<sup>n+1</sup> b<sub>(1)</sub>',
    'x² 10⁻⁶ H₂O aⁿ⁺¹ b₍₁₎',
  ],
  [
    'other text is marked with ^ or _ after a letter, a digit or a bracket',
    '<p>x<sup>k</sup> 2<sup>32k</sup> (a)<sup>T</sup> v<sub>max</sub>',
    'x^k 2^32k (a)^T v_max',
  ],
  [
    'ordinals and text after a word stay text',
    '<p>10<sup>th</sup> 1<sup>er</sup> 2<sup>e</sup> n<sup>o</sup> Acme<sup>TM</sup> M<sup>me</sup>',
    '10th 1er 2e no AcmeTM Mme',
  ],
  ['content with elements stays as it is', '<p>x<sup><i>a</i></sup> y<sub><a href=z>1</a></sub>', 'x*a* y[1](z)'],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));

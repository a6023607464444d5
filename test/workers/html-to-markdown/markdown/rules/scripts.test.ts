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
  ['links in a script stay links', '<p>y<sub><a href=z>1</a></sub>', 'y[1](z)'],
  [
    'elements that only change the look are read through',
    '<p>10<sup><span>6</span></sup> x<sup><i>a</i></sup> H<sub><b>2</b></sub>O <b>10</b><span><sup>2.5</sup></span>',
    '10⁶ x^a H₂O **10**^2.5',
  ],
  [
    'fractions, decimals and other expressions never become a wrong number',
    '<p>2<sup>1/2</sup> 10<sup>3.5</sup> 10<sup>–6</sup> 10<sup>10000000000</sup> (1+x)<sup>1/n</sup> e<sup>−x<sup>2</sup>/2</sup> 1995<sup>1,2</sup>',
    '2^(1/2) 10^3.5 10⁻⁶ 10¹⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰ (1+x)^(1/n) e^(−x²/2) 1995^1,2',
  ],
  [
    'marks and references after a word or a number stay text',
    '<p>1<sup>st.</sup> 5<sup><u>th</u></sup> 3<sup>º</sup> Smith<sup>1,2</sup> 1995<sup>[2]</sup> R<sup>®</sup> PM<sub>2.5</sub> a]<sup>:p. 7</sup>',
    '1st. 5th 3º Smith1,2 1995\\[2\\] R® PM2.5 a\\]:p. 7',
  ],
  ['a fraction of raised and lowered digits', '<p>5 <sup>1</sup>/<sub>2</sub> <sup>3</sup>⁄<sub>4</sub>', '5 ¹⁄₂ ³⁄₄'],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));

import test from 'ava';
import { HOSTILE_SHAPES } from '../../../scripts/lab/bench/measure/hostile-shapes.ts';
import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../workers/html-to-markdown/parse/conversion-error.ts';

for (const { name, size, make } of HOSTILE_SHAPES) {
  test(`${size} of ${name} are converted within the bounds, or refused`, (t) => {
    const html = make(size);
    try {
      const { markdown } = htmlToMarkdown({ html });
      t.true(markdown.length <= 4 * html.length + 64 * 1024);
    } catch (error) {
      t.true(error instanceof ConversionError);
    }
  });
}

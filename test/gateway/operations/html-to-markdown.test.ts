import test from 'ava';
import { htmlToMarkdown } from '../../../gateway/operations/html-to-markdown/operation.ts';

const validate = (sourceUrl: unknown) => htmlToMarkdown.validate({ html: '<p>a', sourceUrl });

test('content may have NUL characters, but must not be white space', (t) => {
  t.is(htmlToMarkdown.validate({ html: '<p>a\0b' }), undefined);
  t.regex(htmlToMarkdown.validate({ html: ' \n\t\u00a0' }) ?? '', /^html must contain a character/);
});

test('a source is an absolute HTTP address of at most 2048 characters', (t) => {
  for (const url of ['http://example.com', 'HTTPS://example.com/a?b', `http://${'a'.repeat(2041)}`])
    t.is(validate(url), undefined);
  for (const url of ['ftp://example.com', 'http://exa mple.com', '/a', `http://${'a'.repeat(2042)}`])
    t.regex(validate(url) ?? '', /^sourceUrl must/);
});
